package io.phaseload.cli.foreign;

import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Translates the options of curl and other load tools into ours, and a bare address into {@code
 * --url}. {@link ForeignTable} has the translations; our own options come first.
 */
public final class ForeignOptions {

    /**
     * Whether a foreign option takes a value: always, never, or if the next word looks like one.
     */
    enum Takes {
        A_VALUE,
        NOTHING,
        PERHAPS_A_VALUE
    }

    /** What a foreign option becomes. */
    @FunctionalInterface
    interface Meaning {

        /**
         * Our words for an option.
         *
         * @param value {@code null} if it has none
         * @throws UsageException with a sentence on what to use instead
         */
        List<String> words(String value);
    }

    /** One row of the table. */
    record Foreign(List<String> names, Takes takes, Meaning meaning) {}

    private static final Pattern HOST =
            Pattern.compile("(?:[\\w-]+\\.)*[\\w-]+:\\d{1,5}(?:/.*)?|(?:[\\w-]+\\.)+[\\w-]+/.*");

    /** {@code -c10} and {@code -XPOST}, but not {@code -threads}, which lacks a hyphen. */
    private static final Pattern ATTACHED = Pattern.compile("-(?:[cndtzmRqp]\\d|[XHu]).*");

    /** Several flags in one word, as curl takes them. */
    private static final Pattern FLAGS = Pattern.compile("-[sSkLfgvi]{2,}");

    private final OptionParser ours;
    private final boolean challenged;
    private final List<String> words = new ArrayList<>();

    private ForeignOptions(OptionParser ours, boolean challenged) {
        this.ours = ours;
        this.challenged = challenged;
    }

    /**
     * Fills in the options of a command.
     *
     * @param options of the command
     * @param line as it was typed
     * @return the parser, which knows what was given and how
     * @throws UsageException if a word of the line has no counterpart, or several, or isn't allowed
     */
    public static OptionParser parse(Object options, String... line) {
        OptionParser parser = new OptionParser(options);
        parser.parse(translate(line, parser));
        return parser;
    }

    /** A command line in our own words. */
    private static String[] translate(String[] line, OptionParser ours) {
        List<String> all = List.of(line);
        boolean challenged = all.stream().anyMatch(ForeignTable.CHALLENGED::contains);
        ForeignOptions translation = new ForeignOptions(ours, challenged);
        Words rest = new Words(all);
        while (rest.hasNext()) {
            translation.add(rest.next(), rest);
        }
        return translation.words.toArray(String[]::new);
    }

    /** Whether a word is an address to send requests to. */
    public static boolean isAddress(String word) {
        return word.contains("://");
    }

    /** The word with a scheme, if it looks like an address that lacks one. */
    public static Optional<String> addressOf(String word) {
        return HOST.matcher(word).matches() ? Optional.of("http://" + word) : Optional.empty();
    }

    private void add(String word, Words rest) {
        if (!word.startsWith("-")) {
            addArgument(word);
            return;
        }
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Optional<Boolean> takesValue = ours.takesValue(name);
        if (takesValue.isPresent()) {
            words.add(word);
            if (takesValue.get() && equals < 0 && rest.hasNext()) {
                words.add(rest.next());
            }
            return;
        }
        Optional<Foreign> foreign = ForeignTable.find(name);
        if (foreign.isPresent()) {
            add(foreign.get(), name, equals < 0 ? null : word.substring(equals + 1), rest);
        } else if (FLAGS.matcher(word).matches()) {
            for (char flag : word.substring(1).toCharArray()) {
                add("-" + flag, rest);
            }
        } else if (ATTACHED.matcher(word).matches()) {
            addAttached(word, rest);
        } else {
            words.add(word);
        }
    }

    private void addArgument(String word) {
        Optional<String> address = addressOf(word);
        if (isAddress(word)) {
            words.addAll(List.of("--url", word));
        } else if (address.isPresent()) {
            throw new UsageException(word + ": expected an address such as " + address.get());
        } else if (word.matches("(?s)[{\\[@].*")
                && !words.isEmpty()
                && words.get(words.size() - 1).equals("--json")) {
            throw new UsageException(
                    "--json "
                            + word
                            + ": prints the result as JSON; expected --body for what is sent");
        } else {
            words.add(word);
        }
    }

    private void add(Foreign foreign, String name, String given, Words rest) {
        String value = given;
        if (value == null && foreign.takes() != Takes.NOTHING && rest.hasNext()) {
            boolean another = rest.peek().startsWith("-") || isAddress(rest.peek());
            if (foreign.takes() == Takes.A_VALUE || !another) {
                value = rest.next();
            }
        }
        if (value == null && foreign.takes() == Takes.A_VALUE) {
            throw new UsageException(name + ": a value is missing");
        }
        if (challenged && ForeignTable.USER.contains(name)) {
            words.addAll(List.of("--credentials", value));
            return;
        }
        try {
            words.addAll(foreign.meaning().words(value));
        } catch (UsageException e) {
            throw new UsageException(name + ": " + e.getMessage());
        }
    }

    private void addAttached(String word, Words rest) {
        String name = word.substring(0, 2);
        if (ours.takesValue(name).orElse(false)) {
            words.addAll(List.of(name, word.substring(2)));
            return;
        }
        Optional<Foreign> foreign = ForeignTable.find(name);
        if (foreign.isPresent() && foreign.get().takes() != Takes.NOTHING) {
            add(foreign.get(), name, word.substring(2), rest);
        } else {
            words.add(word);
        }
    }

    /** {@code user:password} as a header. */
    static List<String> basic(String user) {
        return List.of(
                "--header",
                "Authorization: Basic "
                        + Base64.getEncoder()
                                .encodeToString(user.getBytes(StandardCharsets.UTF_8)));
    }

    /** A request of that method to the address itself. */
    static List<String> method(String method) {
        return List.of("--" + method.toLowerCase(Locale.ROOT), "/");
    }

    /** The words of a line that are still to be read. */
    private static final class Words implements Iterator<String> {

        private final List<String> all;
        private int next;

        Words(List<String> all) {
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            return next < all.size();
        }

        @Override
        public String next() {
            return all.get(next++);
        }

        String peek() {
            return all.get(next);
        }
    }
}
