package io.phaseload.cli.stored;

import io.phaseload.cli.command.GeneralOptions;
import io.phaseload.cli.terminal.Display;
import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The options of a command that reads results: its own, and those of all commands. */
final class StoredOptions implements MoreOptions {

    private final GeneralOptions general = new GeneralOptions();
    private final List<?> beans;

    /**
     * Makes options that haven't been given yet.
     *
     * @param own beans with the command's own options
     */
    StoredOptions(Object... own) {
        this.beans = Stream.concat(Stream.of(own), Stream.of(general)).toList();
    }

    /**
     * Fills in the options, or prints the help or the version if either was asked for.
     *
     * @return true if it was printed, so that nothing else is to be done
     */
    boolean areAnswered(String[] arguments, PrintStream out, Supplier<Help> help) {
        OptionParser parser = new OptionParser(this);
        parser.parse(arguments);
        return general.answer(out, parser, help);
    }

    /** The declarations. */
    static Help help(String command, String about, String end, Object... own) {
        return new Help(command, about, new OptionParser(new StoredOptions(own)).options(), end);
    }

    Display display() {
        return Display.of(general.color());
    }

    @Override
    public List<?> more() {
        return beans;
    }
}
