package io.phaseload.cli.doctor;

import io.phaseload.cli.doctor.checks.CheckOutcome;
import io.phaseload.cli.doctor.checks.Planned;
import io.phaseload.cli.terminal.Display;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** All checks of a plan, as they are said. */
public final class Examination {

    private final List<CheckLine> lines = new ArrayList<>();

    private Examination() {}

    /**
     * Has a plan examined, and prints each line as soon as it is known.
     *
     * @param probe the number of users that may send requests to the target; 0 for none
     * @param out for the lines
     * @param all {@code false} prints warnings and failures alone
     */
    public static Examination printed(Planned planned, int probe, PrintStream out, boolean all, Display display)
            throws InterruptedException {
        Examination examination = new Examination();
        Doctor doctor = new Doctor(planned, probe, line -> {
            examination.lines.add(line);
            if (all || line.matters()) {
                out.print(display.paint(line.text()));
            }
        });
        doctor.examine();
        if (all) {
            out.print(examination.summary());
        }
        return examination;
    }

    /**
     * Has a plan examined, and prints nothing before the end but one JSON document.
     *
     * @param probe as for {@link #printed}
     */
    public static Examination asJson(Planned planned, int probe, PrintStream out) throws InterruptedException {
        Examination examination = new Examination();
        new Doctor(planned, probe, examination.lines::add).examine();
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("passed", examination.passed());
        json.putArray("checks")
                .addAll(examination.lines.stream().map(CheckLine::json).toList());
        // JSON is UTF-8, whatever the terminal's encoding.
        out.writeBytes((json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        return examination;
    }

    /** Whether no check failed. */
    public boolean passed() {
        return lines.stream().noneMatch(line -> line.outcome() instanceof CheckOutcome.Fail);
    }

    private String summary() {
        return Stream.of("FAIL", "WARN", "OK", "SKIP")
                .map(status -> count(status) + " " + status)
                .collect(Collectors.joining(", ", "Doctor: ", "\n"));
    }

    private long count(String status) {
        return lines.stream().filter(line -> line.status().equals(status)).count();
    }
}
