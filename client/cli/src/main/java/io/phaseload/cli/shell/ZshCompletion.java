package io.phaseload.cli.shell;

import io.phaseload.cli.command.Texts;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.OptionSpec.Takes;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Completions of zsh. */
final class ZshCompletion {

    private ZshCompletion() {}

    /** The script. */
    static String of(List<CommandPage> pages) {
        return Texts.of(ZshCompletion.class, "completion.zsh")
                .replace("%NAMES%", pages.stream().map(CommandPage::name).collect(Collectors.joining("|")))
                .replace(
                        "%COMMANDS%",
                        pages.stream()
                                .map(page -> "        " + quoted(page.name() + ":" + page.summary()))
                                .collect(Collectors.joining("\n")))
                .replace("%OPTIONS%", pages.stream().map(ZshCompletion::options).collect(Collectors.joining("\n")));
    }

    private static String options(CommandPage page) {
        String arguments = page.name().equals("completion") ? " '1:shell:(bash zsh fish)'" : "";
        return page.options().stream()
                .flatMap(ZshCompletion::option)
                .map(option -> "            " + quoted(option))
                .collect(Collectors.joining(
                        "\n", "        %s) options=(\n".formatted(page.name()), arguments + "\n        );;"));
    }

    /** A specification of _arguments for each name. */
    private static Stream<String> option(OptionSpec option) {
        String all =
                option.takes() == Takes.SEVERAL ? "*" : "(" + option.names().collect(Collectors.joining(" ")) + ")";
        String help = "[" + escaped(Words.sentence(option)) + "]";
        String value = option.takes() == Takes.NOTHING
                ? ""
                : (option.takes() == Takes.PERHAPS ? "::" : ":") + escaped(option.form()) + ":"
                        + action(Words.of(option));
        return option.names()
                .map(name -> all
                        + name
                        + (name.startsWith("--") && !value.isEmpty() && option.takes() != Takes.PERHAPS ? "=" : "")
                        + help
                        + value);
    }

    private static String action(Words words) {
        if (words instanceof Words.These these) {
            return "(" + String.join(" ", these.words()) + ")";
        }
        if (words instanceof Words.Files) {
            return "_files";
        }
        return words instanceof Words.FolderWords ? "_files -/" : " ";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace(":", "\\:");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
