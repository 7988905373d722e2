package io.phaseload.planfile.phases;

import io.phaseload.input.Cursor;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.schedule.Rate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads {@code --phases}. Its grammar:
 *
 * <pre>
 * phases = phase *( "," phase )
 * phase  = name "=" share [ "for" length ] [ "at" rates ]    in either order
 * length = time | count unit               30s, 1.5m
 * unit   = "iterations" | "requests"       100 iterations (each user), 5k requests (all together)
 * rates  = rate [ ".." rate ]              500/s, 10/s..500/s (a ramp; its phase lasts a time)
 *                                          50 journeys/s, of scenarios
 *                                          500 messages/s, over WebSocket
 * </pre>
 *
 * A phase without a length takes {@code --iterations} or {@code --duration}; one without a rate takes {@code --rate}.
 */
final class PhaseText {

    private static final Pattern WORD = Pattern.compile("\\s*([^\\s,=]+)");
    private static final Pattern RATES =
            Pattern.compile("\\s*([^\\s,=]+(?:\\s+(?:journeys|requests|messages)/[^\\s,=]+)*)");
    private static final Pattern EQUALS = Pattern.compile("\\s*(=)");
    private static final Pattern COMMA = Pattern.compile("\\s*(,)");
    private static final Pattern END = Pattern.compile("\\s*\\z()");

    /**
     * A phase as it was written; what it leaves out is empty.
     *
     * @param load of a plan's file, which can say more than rates
     */
    record Item(
            String name, double share, Optional<PhaseLength> length, Optional<PhaseRate> rates, Optional<Load> load) {}

    /** The subject of a rate. */
    enum RateUnit {
        REQUESTS("requests are of http:// and https://"),
        JOURNEYS("journeys are of scenarios"),
        MESSAGES("messages are of ws://, wss://, mqtt:// and mqtts://");

        private final String whose;

        RateUnit(String whose) {
            this.whose = whose;
        }

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The rate of a phase.
     *
     * @param to the last rate; empty if it stays the same
     * @param units the unit; empty if there is none
     */
    record PhaseRate(Rate from, Optional<Rate> to, Set<RateUnit> units) {

        static PhaseRate parse(String text) {
            Set<RateUnit> units = Stream.of(RateUnit.values())
                    .filter(unit -> text.contains(unit.key() + "/"))
                    .collect(Collectors.toUnmodifiableSet());
            String word = text.replaceAll("\\s*(journeys|requests|messages)/", "/");
            int dots = word.indexOf("..");
            return dots < 0
                    ? new PhaseRate(Rate.parse(word), Optional.empty(), units)
                    : new PhaseRate(
                            Rate.parse(word.substring(0, dots)),
                            Optional.of(Rate.parse(word.substring(dots + 2))),
                            units);
        }

        /**
         * Refuses what a plan doesn't send, and requests where each depends on the one before.
         *
         * @param sent the requests
         */
        PhaseRate of(RateUnit sent) {
            if (sent == RateUnit.JOURNEYS && !units.equals(Set.of(sent))) {
                throw new ValueException(
                        "journeys, such as 50 journeys/s: a journey's requests wait for each other, so that only its start can be at a rate");
            }
            for (RateUnit unit : units) {
                if (unit != sent) {
                    throw new ValueException("%s a second, such as 500/s: %s".formatted(sent.key(), unit.whose));
                }
            }
            return this;
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
     * @throws IllegalArgumentException with a message that begins with "expected" and points at the character
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
        String name = word("a phase's name (lower-case letters, digits, - and _)", PhaseText::checkedName);
        if (cursor.next(EQUALS) == null) {
            throw cursor.failure("'=' and a share", cursor.skipBlanks());
        }
        double share = word("a share above 0 and at most 1", PhaseText::checkedShare);
        Optional<PhaseLength> length = Optional.empty();
        Optional<PhaseRate> rates = Optional.empty();
        while (cursor.next(END) == null && !cursor.startsWith(COMMA)) {
            if (keyword(length.isEmpty(), rates.isEmpty()).equals("for")) {
                length = Optional.of(length());
            } else {
                rates = Optional.of(word(RATES, "a rate such as 500/s or 10/s..500/s", PhaseRate::parse));
            }
        }
        begin = start;
        return new Item(name, share, length, rates, Optional.empty());
    }

    /** Each of the two at most once: there is no telling which one was meant. */
    private String keyword(boolean lengthAllowed, boolean rateAllowed) {
        String expected = "','" + (lengthAllowed ? ", 'for'" : "") + (rateAllowed ? ", 'at'" : "") + " or the end";
        return word(expected, word -> {
            if (!(word.equals("for") && lengthAllowed) && !(word.equals("at") && rateAllowed)) {
                throw new IllegalArgumentException();
            }
            return word;
        });
    }

    private PhaseLength length() {
        String expected = "a time such as 30s, or a count and 'iterations' or 'requests'";
        return word(expected, word -> {
            int before = cursor.position();
            String unit = cursor.next(WORD);
            if (unit != null && unit.matches("iterations?")) {
                return new PhaseLength.Iterations(Quantities.parseCount(word, 1));
            }
            if (unit != null && unit.matches("requests?")) {
                return new PhaseLength.Total(Quantities.parseCount(word, 1));
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
        return word(WORD, expected, parse);
    }

    private <T> T word(Pattern pattern, String expected, Function<String, T> parse) {
        int start = cursor.skipBlanks();
        String word = cursor.next(pattern);
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
