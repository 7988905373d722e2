package io.phaseload.cli.shell;

import io.phaseload.cli.command.Texts;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.OptionSpec.Takes;
import java.util.List;
import java.util.stream.Collectors;

/** Completions of fish. */
final class FishCompletion {

    private FishCompletion() {}

    /** The script. */
    static String of(List<CommandPage> pages) {
        String names = pages.stream().map(CommandPage::name).collect(Collectors.joining(" "));
        StringBuilder script = new StringBuilder(
                Texts.of(FishCompletion.class, "completion.fish").replace("%COMMANDS%", names));
        for (CommandPage page : pages) {
            script.append("complete -c phaseload -n __phaseload_first -f -a %s -d %s%n"
                    .formatted(page.name(), quoted(page.summary())));
            page.options()
                    .forEach(option -> script.append("complete -c phaseload -n '__phaseload_is %s' %s%s -d %s%n"
                            .formatted(page.name(), names(option), value(option), quoted(Words.sentence(option)))));
        }
        return script.toString();
    }

    private static String names(OptionSpec option) {
        return option.names()
                .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                .collect(Collectors.joining(" "));
    }

    private static String value(OptionSpec option) {
        if (option.takes() == Takes.NOTHING || option.takes() == Takes.PERHAPS) {
            return "";
        }
        Words words = Words.of(option);
        if (words instanceof Words.These these) {
            return " -x -a " + quoted(String.join(" ", these.words()));
        }
        if (words instanceof Words.FolderWords) {
            return " -x -a '(__fish_complete_directories)'";
        }
        return words instanceof Words.Files ? " -r -F" : " -x";
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
