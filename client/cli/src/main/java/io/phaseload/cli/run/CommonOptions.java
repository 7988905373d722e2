package io.phaseload.cli.run;

import io.phaseload.cli.command.Console;
import io.phaseload.cli.terminal.Display;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.kohsuke.args4j.Option;

/** The options that {@code run} and {@code sweep} share and that no plan's file can have. */
public final class CommonOptions {

    @Option(name = "--out", aliases = "-o")
    public String out;

    @Option(name = "--json")
    public boolean json;

    @Option(name = "--junit")
    public String junit;

    @Option(name = "--quiet")
    public boolean quiet;

    /** The terminal's stream for a live line; empty without one, or with {@code --quiet}. */
    public Optional<PrintStream> live(Console console) {
        return quiet ? Optional.empty() : Display.of(console.color()).live(console.out(), console.err(), json);
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
