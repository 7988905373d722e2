package io.phaseload.cli.command;

import io.phaseload.options.Help;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The help of a command without its options: a text of the folder {@code help}, whose line {@code [options]} stands for
 * them.
 *
 * @param about the paragraphs before the options, without blank lines around them
 * @param end the paragraphs after the options; may be empty
 */
public record CommandHelp(String command, String about, String end) {

    /** Reads the text of a command. */
    public static CommandHelp of(String command) {
        String text = Texts.of(CommandHelp.class, "/io/phaseload/cli/help/" + command + ".txt");
        String[] parts = text.split("(?m)^\\[options]$", 2);
        return new CommandHelp(command, parts[0].strip(), parts[1].strip());
    }

    /** Lists all options that a bean declares. */
    public Help with(Object options) {
        return with(options, any -> true, Set.of());
    }

    /**
     * Lists some options that a bean declares.
     *
     * @param listed the options to list; another command's help lists the others
     * @param common long names of the options that most users need; empty for all of them
     */
    public Help with(Object options, Predicate<OptionSpec> listed, Set<String> common) {
        return Help.of(command, about, new OptionParser(options).options(), listed, common, end);
    }
}
