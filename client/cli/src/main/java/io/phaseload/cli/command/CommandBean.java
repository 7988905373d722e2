package io.phaseload.cli.command;

import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import java.util.List;

/**
 * A command whose options are its own annotated fields, those of the beans of {@link #more()}, and the general ones.
 */
public interface CommandBean extends MoreOptions {

    /** Does the command's work with the options that were given, and returns its exit code. */
    int execute(Console console);

    @Override
    default List<?> more() {
        return List.of();
    }

    /** Fills in the options, of which the parser knows all. */
    default void parse(OptionParser parser, String... arguments) {
        parser.parse(arguments);
    }

    /** Whether the help lists an option; another command's help lists the others. */
    default boolean lists(OptionSpec option) {
        return true;
    }

    /** The help without the options. */
    default CommandHelp about(String name) {
        return CommandHelp.of(name);
    }
}
