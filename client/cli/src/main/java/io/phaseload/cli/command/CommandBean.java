package io.phaseload.cli.command;

import io.phaseload.options.MoreOptions;
import java.util.List;

/**
 * A command whose options are its own annotated fields, those of the beans of {@link #more()}, and the general ones.
 */
public interface CommandBean extends MoreOptions {

    /** Does the command's work with the options that were given, and returns its exit code. */
    int execute();

    @Override
    default List<?> more() {
        return List.of();
    }

    /** The options that every command has. */
    default GeneralOptions general() {
        return new GeneralOptions();
    }

    /** The help without the options. */
    default CommandHelp about(String name) {
        return CommandHelp.of(name);
    }
}
