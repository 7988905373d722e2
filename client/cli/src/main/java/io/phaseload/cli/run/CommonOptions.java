package io.phaseload.cli.run;

import io.phaseload.cli.command.GeneralOptions;
import io.phaseload.cli.terminal.Display;
import io.phaseload.options.Heading;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.kohsuke.args4j.Option;

/** The options that {@code run} and {@code sweep} share and that no plan's file can have. */
public final class CommonOptions {

    @Heading("Results")
    @Option(
            name = "--out",
            aliases = "-o",
            metaVar = "DIR",
            usage = "the folder to write, new or empty (results/<time>-<name>)")
    public String out;

    @Option(name = "--json", usage = "JSON on standard output, all else on standard error")
    public boolean json;

    @Option(name = "--junit", metaVar = "FILE", usage = "verdicts and thresholds as JUnit XML, for a CI system")
    public String junit;

    @Option(name = "--quiet", usage = "no progress")
    public boolean quiet;

    public final GeneralOptions general = new GeneralOptions();

    /** The terminal's stream for a live line; empty without one, or with {@code --quiet}. */
    public Optional<PrintStream> live(PrintStream out, PrintStream err) {
        return quiet ? Optional.empty() : Display.of(general.color()).live(out, err, json);
    }

    /** Refuses what only a run has a use for. */
    void refuseResults(OptionParser parser, String command) {
        for (String ofRun : List.of("--out", "--junit", "--quiet")) {
            if (parser.given().contains(ofRun)) {
                throw new UsageException("%s: %s runs nothing, so there are no results to write", ofRun, command);
            }
        }
    }
}
