package io.phaseload.options;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * An option, of a field or of none.
 *
 * @param name such as {@code --threads}
 * @param aliases such as {@code -c}
 * @param usage the form of a value; empty for none
 * @param takes its values
 * @param hidden from help, and from what a misspelt option is compared with
 * @param given gets the name as it was typed, and the value; of a flag its own name, and {@code true} or {@code false}
 */
public record OptionSpec(
        String name,
        List<String> aliases,
        String usage,
        Takes takes,
        boolean hidden,
        BiConsumer<String, String> given) {

    /** One without aliases that help has. */
    public OptionSpec(String name, String usage, Takes takes, BiConsumer<String, String> given) {
        this(name, List.of(), usage, takes, false, given);
    }

    /** The values of an option. */
    public enum Takes {
        /** None: it is a flag. */
        NOTHING,
        /** One. */
        ONE,
        /** One each time that it is given. */
        SEVERAL
    }

    boolean isFlag() {
        return takes == Takes.NOTHING;
    }

    Stream<String> names() {
        return Stream.concat(Stream.of(name), aliases.stream());
    }
}
