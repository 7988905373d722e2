package io.phaseload.cli.foreign;

import io.phaseload.cli.command.Texts;
import io.phaseload.options.UsageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The options of other tools, each with our options for it or a sentence: {@code options.txt}. */
final class ForeignTable {

    /** The number of values of an option; perhaps means: one if a word follows that looks like it. */
    enum TakenValues {
        NOTHING,
        A_VALUE,
        PERHAPS
    }

    /** The section of the options that hold on every line. */
    static final String ALWAYS = "";

    /** The section of words that only other tools have. */
    static final String WORDS = "words";

    /** The section of words that other tools have where no option is expected. */
    static final String ARGUMENTS = "arguments";

    private static final String NONE = "<none>";
    private static final Pattern ROW = Pattern.compile("(.+?)(?: (<[\\w-]+>))? ([=!])(?: (.+))?");
    private static final Pattern NEXT = Pattern.compile(" (?=--)");

    private static final List<TableRow> ROWS = new ArrayList<>();
    private static final Map<String, Pattern> KINDS = new HashMap<>();
    private static final Map<String, List<SetOption>> SETS = new HashMap<>();

    static {
        String section = ALWAYS;
        for (String line : Texts.of(ForeignTable.class, "options.txt").lines().toList()) {
            if (line.startsWith("kind ")) {
                String[] parts = line.split(" +", 3);
                KINDS.put("<" + parts[1] + ">", Pattern.compile(parts[2], Pattern.DOTALL));
            } else if (line.startsWith("set ")) {
                String[] parts = line.split(" +", 3);
                SETS.put(
                        parts[1],
                        Pattern.compile(" +")
                                .splitAsStream(parts[2])
                                .map(SetOption::of)
                                .toList());
            } else if (line.startsWith("[")) {
                section = line.substring(1, line.length() - 1);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                ROWS.add(TableRow.of(section, line));
            }
        }
    }

    /**
     * A line of the table.
     *
     * @param names of options; in {@link #WORDS} and {@link #ARGUMENTS} one expression for words
     * @param kind of the value; empty for any
     * @param refused {@code true} if the text is a sentence instead of our options
     */
    record TableRow(String section, List<String> names, String kind, boolean refused, String text) {

        private static TableRow of(String section, String line) {
            Matcher row = ROW.matcher(line);
            if (!row.matches()) {
                throw new IllegalStateException(line);
            }
            return new TableRow(
                    section,
                    List.of(row.group(1).split(" ")),
                    Optional.ofNullable(row.group(2)).orElse(""),
                    row.group(3).equals("!"),
                    Optional.ofNullable(row.group(4)).orElse(""));
        }

        private boolean holdsIn(String name) {
            return List.of(section.split(" ")).contains(name);
        }

        private boolean takesValue() {
            return !kind.isEmpty() || !refused && text.contains("{");
        }

        /**
         * Our words for an option.
         *
         * @throws UsageException with the sentence
         */
        List<String> words(String name, String value) {
            UsageException.throwIf(refused, "%s: %s", name, fill(text, "{}", value));
            return text.isEmpty()
                    ? List.of()
                    : NEXT.splitAsStream(text).map(word -> filled(word, value)).toList();
        }

        private String filled(String word, String value) {
            if (value == null) {
                return word;
            }
            Matcher groups = KINDS.getOrDefault(kind, Pattern.compile("(?s).*")).matcher(value);
            groups.matches();
            String filled = word;
            for (int i = 1; i <= groups.groupCount(); i++) {
                filled = fill(filled, "{" + i + "}", groups.group(i));
            }
            filled = fill(filled, "{lower}", value.toLowerCase(Locale.ROOT));
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            filled = fill(filled, "{base64}", Base64.getEncoder().encodeToString(bytes));
            return fill(filled, "{}", value);
        }

        private static String fill(String text, String place, String value) {
            return value == null ? text : text.replace(place, value);
        }
    }

    /**
     * An option of a set.
     *
     * @param kind of the value; empty for any
     */
    private record SetOption(String name, String kind) {

        private static SetOption of(String text) {
            int kind = text.indexOf('<');
            return kind < 0 ? new SetOption(text, "") : new SetOption(text.substring(0, kind), text.substring(kind));
        }
    }

    private ForeignTable() {}

    private static boolean fits(String kind, String value) {
        if (kind.isEmpty()) {
            return true;
        }
        return kind.equals(NONE)
                ? value == null
                : value != null && KINDS.get(kind).matcher(value).matches();
    }

    /** Whether a set has an option with a value, which may be {@code null}. */
    static boolean contains(String set, String name, String value) {
        return SETS.get(set).stream().anyMatch(member -> member.name().equals(name) && fits(member.kind(), value));
    }

    private static Stream<TableRow> named(String name) {
        return ROWS.stream().filter(row -> row.names().contains(name));
    }

    /** The names of the options, in order. */
    static List<String> names() {
        return ROWS.stream()
                .filter(row -> !List.of(WORDS, ARGUMENTS).contains(row.section()))
                .flatMap(row -> row.names().stream())
                .distinct()
                .toList();
    }

    /** The values that an option takes; empty for an unknown name. */
    static Optional<TakenValues> takes(String name) {
        List<TableRow> rows = named(name).toList();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        if (rows.stream().anyMatch(row -> row.kind().equals(NONE))) {
            return Optional.of(TakenValues.PERHAPS);
        }
        boolean value = rows.stream().anyMatch(TableRow::takesValue);
        return Optional.of(value ? TakenValues.A_VALUE : TakenValues.NOTHING);
    }

    /** The row of a section that fits an option and its value, which may be {@code null}. */
    static Optional<TableRow> find(String section, String name, String value) {
        return named(name)
                .filter(row -> row.holdsIn(section) && fits(row.kind(), value))
                .findFirst();
    }

    /** Refuses a word that a section knows as another tool's. */
    static void refuse(String section, String word) {
        ROWS.stream()
                .filter(row -> row.section().equals(section)
                        && word.matches(row.names().get(0)))
                .findFirst()
                .ifPresent(row -> row.words(word, null));
    }
}
