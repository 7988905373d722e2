package io.phaseload.cli.decide;

import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.FormatOptions;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.files.AtomicFile;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.UsageException;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Threshold;
import io.phaseload.report.SoakPage;
import io.phaseload.report.text.SoakReport;
import io.phaseload.result.Result;
import io.phaseload.result.store.StoredRun;
import io.phaseload.soak.Soak;
import io.phaseload.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload soak}: judges a long run by the slopes of its figures. */
public final class SoakCommand implements CommandBean {

    private static final String RUN = "--";

    @Argument(metaVar = "DIR", usage = "a run's results folder")
    private List<String> folders = new ArrayList<>();

    @Option(name = "--limit")
    private List<String> limited = new ArrayList<>();

    private final FormatOptions format = new FormatOptions();
    private Optional<String[]> ofRun = Optional.empty();

    @Override
    public List<?> more() {
        return List.of(format);
    }

    @Override
    public void parse(OptionParser parser, String... arguments) {
        int split = ofRun(parser, arguments);
        if (split < arguments.length) {
            int begin = arguments[split].equals(RUN) ? split + 1 : split;
            ofRun = Optional.of(Arrays.copyOfRange(arguments, begin, arguments.length));
        }
        parser.parse(Arrays.copyOf(arguments, split));
    }

    @Override
    public int execute(Console console) {
        format.check();
        UsageException.throwIf(
                folders.size() != (ofRun.isPresent() ? 0 : 1),
                "soak: expected one results folder, or the options of a run");
        limits(List.of());
        if (ofRun.isEmpty()) {
            return judge(console, folders.get(0));
        }
        RunCommand run = new RunCommand();
        int code = new CliCommand("run", run).run(format.isData() ? console.withoutOut() : console, ofRun.get());
        Optional<Path> folder = run.folder();
        if (folder.isEmpty() || code == ExitCode.INTERNAL_ERROR || code == ExitCode.NOTHING_SUCCEEDED) {
            return code;
        }
        int judged = judge(console, folder.get().toString());
        return code == ExitCode.PASSED ? judged : code;
    }

    /** The place of the first word that is the run's: an address, or an option that isn't one of this command. */
    private static int ofRun(OptionParser parser, String... words) {
        Set<String> own = parser.options().stream().flatMap(OptionSpec::names).collect(Collectors.toSet());
        for (int i = 0; i < words.length; i++) {
            boolean option = words[i].startsWith("-");
            if (option ? !own.contains(words[i].replaceFirst("=.*", "")) : words[i].contains("://")) {
                return i;
            }
        }
        return words.length;
    }

    private int judge(Console console, String folder) {
        StoredRun stored = Folders.read("soak", folder);
        Result result = stored.result();
        UsageException.throwIf(
                result.measured().requests() == 0, "soak %s: expected a run with measured requests", folder);
        Soak soak = Soak.of(result, stored.intervals(), limits(stored.plan().serverFigures()));
        console.print(
                format.of(soak::json, () -> SoakReport.markdown(soak), columns -> SoakReport.text(soak, columns)));
        try {
            Path path = Path.of(folder);
            AtomicFile.write(path.resolve("soak.json"), soak.json());
            AtomicFile.write(path.resolve("soak.md"), SoakReport.markdown(soak));
            AtomicFile.write(path.resolve(SoakPage.FILE), SoakPage.write(soak, result, stored.intervals()));
        } catch (IOException e) {
            return Folders.notWritten(Path.of(folder), e, console.err());
        }
        if (result.verdict().status() == Verdict.Status.INVALID) {
            return ExitCode.INVALID;
        }
        return switch (soak.outcome()) {
            case PASS -> ExitCode.PASSED;
            case FAIL -> ExitCode.THRESHOLD_FAILED;
            case UNDECIDED -> ExitCode.UNDECIDED;
        };
    }

    /** By the figures' names in the result; all are read even if no figure is known yet. */
    private Map<String, Double> limits(List<String> names) {
        Map<String, Double> limits = new LinkedHashMap<>();
        for (String text : limited) {
            String[] parts = text.split("=", 2);
            Threshold threshold;
            try {
                threshold = Threshold.parse("server.%s < %s".formatted(parts[0], parts.length < 2 ? "" : parts[1]));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--limit %s: expected a figure and a value such as heap=512MB", text);
            }
            if (!names.isEmpty()) {
                String name = ((Figure.Reported) threshold.figure())
                        .in(names)
                        .orElseThrow(() -> new UsageException(
                                "--limit %s: expected a figure of %s", text, String.join(", ", names)));
                limits.put(name, threshold.limitValue());
            }
        }
        return limits;
    }
}
