package io.phaseload.cli.stored;

import io.phaseload.cli.command.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import java.io.PrintStream;
import java.util.List;
import org.kohsuke.args4j.Option;

/** The options of a command that reads results: its own, and {@code --help}. */
final class StoredOptions implements MoreOptions {

    private final List<?> beans;

    @Option(name = "--help", aliases = "-h", help = true)
    private boolean help;

    private StoredOptions(Object... beans) {
        this.beans = List.of(beans);
    }

    /**
     * Fills in the options of a command, or prints its help if that was asked for.
     *
     * @param beans with the command's own options
     * @return true if the help was printed, so that there is nothing else to do
     */
    static boolean areForHelp(String[] arguments, String helpText, PrintStream out, Object... beans) {
        StoredOptions options = new StoredOptions(beans);
        new OptionParser(options).parse(arguments);
        if (options.help) {
            out.print(Help.full(helpText));
        }
        return options.help;
    }

    @Override
    public List<?> more() {
        return beans;
    }
}
