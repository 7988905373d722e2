package io.phaseload.plan;

import io.phaseload.input.Cursor;
import io.phaseload.options.Quantities;
import io.phaseload.schedule.Rate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads {@code --phases}. Its grammar:
 *
 * <pre>
 * phases = phase *( "," phase )
 * phase  = name "=" share [ "for" length ] [ "at" rates ]    in either order
 * length = time | count "iterations"       30s, 1.5m, 100 iterations
 * rates  = rate [ ".." rate ]              500/s, 10/s..500/s (a ramp, for a phase with a duration)
 * </pre>
 *
 * A phase without a length takes {@code --iterations} or {@code --duration}; one without a rate
 * takes {@code --rate}.
 */
final class PhaseText {

    private static final Pattern WORD = Pattern.compile("\\s*([^\\s,=]+)");
    private static final Pattern EQUALS = Pattern.compile("\\s*(=)");
    private static final Pattern COMMA = Pattern.compile("\\s*(,)");
    private static final Pattern END = Pattern.compile("\\s*\\z()");

    /**
     * A phase as it was written; what it leaves out is empty.
     *
     * @param load of a plan's file, which can say more than rates
     */
    record Item(
            String name,
            double share,
            Optional<PhaseLength> length,
            Optional<Rates> rates,
            Optional<Load> load) {}

    /**
     * The rate of a phase.
     *
     * @param to what the rate rises or falls to; empty if it is constant
     */
    record Rates(Rate from, Optional<Rate> to) {

        static Rates parse(String word) {
            int dots = word.indexOf("..");
            return dots < 0
                    ? new Rates(Rate.parse(word), Optional.empty())
                    : new Rates(
                            Rate.parse(word.substring(0, dots)),
                            Optional.of(Rate.parse(word.substring(dots + 2))));
        }
    }

    private final Cursor cursor;
    private int begin;

    private PhaseText(String text) {
        this.cursor = new Cursor(text);
    }

    /**
     * Reads a list.
     *
     * @throws IllegalArgumentException with a message that begins with "expected" and points at the
     *     character
     */
    static List<Item> parse(String text) {
        PhaseText list = new PhaseText(text);
        List<Item> items = new ArrayList<>();
        Set<String> names = new HashSet<>();
        do {
            Item item = list.phase();
            if (!names.add(item.name())) {
                throw list.cursor.failure("a name that is not used yet", list.begin);
            }
            items.add(item);
        } while (list.cursor.next(COMMA) != null);
        return items;
    }

    private Item phase() {
        int start = cursor.skipBlanks();
        String name =
                word(
                        "a phase's name (lower-case letters, digits, - and _)",
                        PhaseText::checkedName);
        if (cursor.next(EQUALS) == null) {
            throw cursor.failure("'=' and a share", cursor.skipBlanks());
        }
        double share = word("a share above 0 and at most 1", PhaseText::checkedShare);
        Optional<PhaseLength> length = Optional.empty();
        Optional<Rates> rates = Optional.empty();
        while (cursor.next(END) == null && !cursor.startsWith(COMMA)) {
            if (keyword(length.isEmpty(), rates.isEmpty()).equals("for")) {
                length = Optional.of(length());
            } else {
                rates = Optional.of(word("a rate such as 500/s or 10/s..500/s", Rates::parse));
            }
        }
        begin = start;
        return new Item(name, share, length, rates, Optional.empty());
    }

    /** Each of the two at most once: there is no telling which one was meant. */
    private String keyword(boolean lengthAllowed, boolean rateAllowed) {
        String expected =
                "','"
                        + (lengthAllowed ? ", 'for'" : "")
                        + (rateAllowed ? ", 'at'" : "")
                        + " or the end";
        return word(
                expected,
                word -> {
                    if (!(word.equals("for") && lengthAllowed)
                            && !(word.equals("at") && rateAllowed)) {
                        throw new IllegalArgumentException();
                    }
                    return word;
                });
    }

    private PhaseLength length() {
        String expected = "a time such as 30s, or a count and 'iterations'";
        return word(
                expected,
                word -> {
                    int before = cursor.position();
                    String unit = cursor.next(WORD);
                    if (unit != null && unit.matches("iterations?")) {
                        return new PhaseLength.Iterations(Quantities.parseCount(word, 1));
                    }
                    cursor.moveTo(before);
                    return new PhaseLength.Lasting(Quantities.parseDuration(word, false));
                });
    }

    static String checkedName(String word) {
        return new Phase(word, 1, new PhaseLength.Iterations(1)).name();
    }

    private static double checkedShare(String word) {
        if (!word.matches("[0-9]*\\.?[0-9]+")) {
            throw new IllegalArgumentException();
        }
        return new Phase("a", Double.parseDouble(word), new PhaseLength.Iterations(1)).share();
    }

    /** The next word, parsed. */
    private <T> T word(String expected, Function<String, T> parse) {
        int start = cursor.skipBlanks();
        String word = cursor.next(WORD);
        try {
            if (word != null) {
                return parse.apply(word);
            }
        } catch (IllegalArgumentException e) {
            // This message says more than that of the value's own check.
        }
        throw cursor.failure(expected, start);
    }
}
