package io.phaseload.cli.command;

import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The options of a command: its own, and those of all commands. */
public final class CommandOptions implements MoreOptions {

    private final GeneralOptions general = new GeneralOptions();
    private final List<?> beans;

    /**
     * Makes options that haven't been given yet.
     *
     * @param own beans with the command's own options
     */
    public CommandOptions(Object... own) {
        this.beans = Stream.concat(Stream.of(own), Stream.of(general)).toList();
    }

    /**
     * Fills in the options, or prints the help or the version if either was asked for.
     *
     * @return true if it was printed, so that nothing else is to be done
     */
    public boolean areAnswered(String[] arguments, PrintStream out, Supplier<Help> help) {
        OptionParser parser = new OptionParser(this);
        parser.parse(arguments);
        return general.answer(out, parser, help);
    }

    /** The declarations. */
    public static Help help(String command, Object... own) {
        return CommandHelp.of(command).with(new CommandOptions(own));
    }

    /** The use of colours that was asked for. */
    public GeneralOptions.Color color() {
        return general.color();
    }

    @Override
    public List<?> more() {
        return beans;
    }
}
