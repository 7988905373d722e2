package io.phaseload.options;

import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The declaration of an option, or of the arguments of a command: help, completions and man pages are made of it.
 *
 * @param name such as {@code --threads}; of arguments a word such as {@code DIR}
 * @param aliases such as {@code -c}
 * @param text for help and messages, which few command lines need
 * @param takes its values
 * @param hidden from help, and from the names that a misspelt option is compared with
 * @param given receives the option as it was written, and the value: {@code true} or {@code false} for a flag
 */
public record OptionSpec(
        String name,
        List<String> aliases,
        Supplier<OptionText> text,
        Takes takes,
        boolean hidden,
        BiConsumer<Typed, String> given) {

    /** Of variables of the environment. */
    static final String PREFIX = "PHASELOAD_";

    private static final Pattern WORDS = Pattern.compile("[a-z0-9-]+(\\|[a-z0-9-]+)*");

    /** The values of an option. */
    public enum Takes {
        /** None: it is a flag. */
        NOTHING,
        /** One, or none. */
        PERHAPS,
        /** One. */
        ONE,
        /** One each time that it is given. */
        SEVERAL
    }

    /**
     * The form of a value.
     *
     * @return see {@link OptionText#form}
     */
    public String form() {
        return text.get().form();
    }

    /**
     * The help.
     *
     * @return see {@link OptionText#help}
     */
    public String help() {
        return text.get().help();
    }

    String heading() {
        return text.get().heading();
    }

    boolean isFlag() {
        return takes == Takes.NOTHING;
    }

    /**
     * Whether it is an argument instead of an option.
     *
     * @return {@code true} if it has no name that begins with a hyphen
     */
    public boolean isArgument() {
        return !name.startsWith("-");
    }

    /**
     * All of its names.
     *
     * @return its aliases, then its long name
     */
    public Stream<String> names() {
        return Stream.concat(aliases.stream(), Stream.of(name));
    }

    /**
     * The words that a value is one of.
     *
     * @return empty if other values are allowed, too
     */
    public List<String> words() {
        return WORDS.matcher(form()).matches() ? List.of(form().split("\\|")) : List.of();
    }

    /**
     * The variable of the environment with its value.
     *
     * @return such as {@code PHASELOAD_THREADS}
     */
    public String variable() {
        return PREFIX + name.substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Its names and the form of its value, as help begins with them. */
    String head() {
        return String.join(", ", names().toList()) + value();
    }

    /**
     * The form of a value after a name.
     *
     * @return such as {@code " N"}; empty for a flag
     */
    public String value() {
        return form().isEmpty() ? "" : " " + (takes == Takes.PERHAPS ? "[" + form() + "]" : form());
    }
}
