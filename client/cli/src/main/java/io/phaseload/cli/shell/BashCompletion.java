package io.phaseload.cli.shell;

import io.phaseload.cli.command.Texts;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.OptionSpec.Takes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Completions of bash. */
final class BashCompletion {

    private BashCompletion() {}

    /** The script. */
    static String of(List<CommandPage> pages) {
        String names = pages.stream().map(CommandPage::name).collect(Collectors.joining(" "));
        return Texts.of(BashCompletion.class, "completion.bash")
                .replace("%COMMANDS%", names.replace(' ', '|'))
                .replace("%WORDS%", names)
                .replace("%VALUES%", values(pages))
                .replace(
                        "%OPTIONS%",
                        pages.stream()
                                .map(page -> "        %s) options='%s';;".formatted(page.name(), names(page)))
                                .collect(Collectors.joining("\n")));
    }

    private static String names(CommandPage page) {
        return page.options().stream().flatMap(OptionSpec::names).collect(Collectors.joining(" "));
    }

    /** A case for each kind of completion, with all options that take it. */
    private static String values(List<CommandPage> pages) {
        Map<String, List<String>> cases = new LinkedHashMap<>();
        for (CommandPage page : pages) {
            for (OptionSpec option : page.options()) {
                if (option.takes() == Takes.ONE || option.takes() == Takes.SEVERAL) {
                    List<String> patterns =
                            cases.computeIfAbsent(completion(Words.of(option)), action -> new ArrayList<>());
                    option.names().map(name -> page.name() + ":" + name).forEach(patterns::add);
                }
            }
        }
        return cases.entrySet().stream()
                .map(one -> "        %s)\n            %s".formatted(String.join("|", one.getValue()), one.getKey()))
                .collect(Collectors.joining("\n"));
    }

    private static String completion(Words words) {
        if (words instanceof Words.These these) {
            return "COMPREPLY=($(compgen -W '%s' -- \"$current\")); return;;"
                    .formatted(String.join(" ", these.words()));
        }
        if (words instanceof Words.None) {
            return "return;;";
        }
        return "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -%s -- \"$current\")); return;;"
                .formatted(words instanceof Words.FolderWords ? "d" : "f");
    }
}
