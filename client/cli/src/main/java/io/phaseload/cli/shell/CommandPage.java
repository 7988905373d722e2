package io.phaseload.cli.shell;

import io.phaseload.options.Help;
import io.phaseload.options.OptionSpec;
import java.util.List;

/**
 * A command as it is declared.
 *
 * @param summary its purpose in one line
 * @param help its options
 */
public record CommandPage(String summary, Help help) {

    String name() {
        return help.command();
    }

    List<OptionSpec> options() {
        return help.every().filter(option -> !option.isArgument()).toList();
    }
}
