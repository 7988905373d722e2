package io.phaseload.cli.run;

import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.doctor.Examination;
import io.phaseload.cli.doctor.checks.Planned;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.cli.terminal.Display;
import io.phaseload.options.CountHandler;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.kohsuke.args4j.Option;

/** {@code phaseload doctor}: what is in the way of a run, before it starts. */
public final class DoctorCommand implements CommandBean {

    private static final Set<String> LISTED = Set.of("--probe", "--json", "--color", "--help", "--version");

    private static final int MOST_PROBES = 10_000;

    private final PlanOptions plan = new PlanOptions(Set.of());
    private final CommonOptions common = new CommonOptions();

    @Option(name = "--probe", handler = CountHandler.class)
    private Integer probe;

    private OptionParser parser;

    @Override
    public List<?> more() {
        return List.of(common, plan);
    }

    @Override
    public void parse(OptionParser of, String... arguments) {
        parser = of;
        ForeignOptions.parse(of, false, withPlan(arguments));
    }

    @Override
    public boolean lists(OptionSpec option) {
        return LISTED.contains(option.name());
    }

    @Override
    public int execute(Console console) {
        common.refuseResults(parser, "doctor");
        UsageException.throwIf(
                probe != null && probe > MOST_PROBES,
                "--probe %s: expected a whole number of 1 to %d",
                probe,
                MOST_PROBES);
        RunPlan wanted = new RunPlan(plan.settings());
        Optional<URI> url = wanted.url();
        wanted.local();
        Plan signed = wanted.signed(RunCommand.NOT_STARTED_YET);
        if (Heap.isTooSmall(List.of(signed), console.err())) {
            return ExitCode.INTERNAL_ERROR;
        }
        Planned planned = new Planned(signed, url.isEmpty());
        int probes = probe == null ? 0 : probe;
        try {
            Examination examination = common.json
                    ? Examination.asJson(planned, probes, console.out())
                    : Examination.printed(planned, probes, console.out(), true, Display.of(console.color()));
            return examination.passed() ? ExitCode.PASSED : ExitCode.USAGE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }

    /** A file in the first place is a plan. */
    private static String[] withPlan(String... arguments) {
        boolean plan = arguments.length > 0
                && !arguments[0].startsWith("-")
                && !ForeignOptions.isAddress(arguments[0])
                && ForeignOptions.addressOf(arguments[0]).isEmpty();
        return plan ? Stream.concat(Stream.of("--plan"), Stream.of(arguments)).toArray(String[]::new) : arguments;
    }
}
