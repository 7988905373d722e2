package io.phaseload.cli.shell;

import io.phaseload.options.OptionSpec;
import java.util.List;

/** The completions of an option's value. */
sealed interface Words {

    /** The longest description of an option. */
    int MOST = 60;

    /** Some words. */
    record These(List<String> words) implements Words {}

    /** The names of files. */
    record Files() implements Words {}

    /** The names of folders. */
    record FolderWords() implements Words {}

    /** Nothing. */
    record None() implements Words {}

    /** By the form of a value. */
    static Words of(OptionSpec option) {
        if (!option.words().isEmpty()) {
            return new These(option.words());
        }
        return switch (option.form()) {
            case "FILE" -> new Files();
            case "DIR" -> new FolderWords();
            default -> new None();
        };
    }

    /** The beginning of an option's help, short enough for a list. */
    static String sentence(OptionSpec option) {
        String first = option.help().split("[;:] |, (?:such|which|with)|\\. ", 2)[0];
        return first.length() <= MOST ? first : first.substring(0, first.lastIndexOf(' ', MOST)) + " …";
    }
}
