package io.phaseload.cli.run;

import io.phaseload.cli.command.Help;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.result.Environment;
import java.io.PrintStream;
import java.util.List;
import org.kohsuke.args4j.Option;

/** The options that {@code run} and {@code sweep} share and that no plan's file can have. */
public final class CommonOptions {

    @Option(name = "--out", aliases = "-o", usage = "a folder that is new or empty")
    public String out;

    @Option(name = "--json")
    public boolean json;

    @Option(name = "--junit", usage = "a file's name")
    public String junit;

    @Option(name = "--quiet")
    public boolean quiet;

    @Option(name = "--help", help = true)
    private boolean help;

    @Option(name = "--brief-help", aliases = "-h", help = true, hidden = true)
    private boolean briefHelp;

    @Option(name = "--version", aliases = "-V", help = true)
    private boolean version;

    /** Refuses what only a run has a use for. */
    void refuseResults(OptionParser parser, String command) {
        for (String ofRun : List.of("--out", "--junit", "--quiet")) {
            if (parser.given().contains(ofRun)) {
                throw new UsageException(
                        "%s: %s runs nothing, so there are no results to write".formatted(ofRun, command));
            }
        }
    }

    /** Prints the help or the version if either was asked for; returns whether it did. */
    public boolean answer(PrintStream out, String fullHelp, String brief) {
        if (help || briefHelp) {
            out.print(help ? Help.full(fullHelp) : brief);
        } else if (version) {
            out.println("phaseload " + Environment.currentVersion());
        }
        return help || briefHelp || version;
    }
}
