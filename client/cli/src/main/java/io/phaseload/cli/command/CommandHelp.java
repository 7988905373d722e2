package io.phaseload.cli.command;

import io.phaseload.options.Help;
import io.phaseload.options.OptionSpec;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The help of a command without its options: a text of the folder {@code help}. Its line {@code [options]} stands for
 * them, and {@code [options: --url …]} also names those that most users need.
 *
 * @param about the paragraphs before the options, without blank lines around them
 * @param common the long names of the options that most users need; empty for all of them
 * @param end the paragraphs after the options; may be empty
 */
public record CommandHelp(String command, String about, Set<String> common, String end) {

    private static final Pattern OPTIONS = Pattern.compile("^\\[options(?:: ([^]]*))?]$", Pattern.MULTILINE);

    /** Reads the text of a command. */
    public static CommandHelp of(String command) {
        String text = Texts.of(CommandHelp.class, "/io/phaseload/cli/help/" + command + ".txt");
        Matcher options = OPTIONS.matcher(text);
        if (!options.find()) {
            throw new IllegalStateException(command + ": expected a line [options]");
        }
        String common = options.group(1);
        return new CommandHelp(
                command,
                text.substring(0, options.start()).strip(),
                common == null ? Set.of() : Set.of(common.split("\\s+")),
                text.substring(options.end()).strip());
    }

    /** Lists some of a command's options. */
    Help with(List<OptionSpec> options, Predicate<OptionSpec> listed) {
        return Help.of(command, about, options, listed, common, end);
    }
}
