package io.phaseload.plan.share;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The part of a plan that one of several clients runs. The users of each phase are dealt to the clients in turns, as
 * cards are, and a user takes its number, its random numbers, its place in a ramp and its requests of an open phase
 * with it. So clients whose parts together have every turn send what one client would, each request once.
 *
 * <p>Its text is {@code 2/3} for the second of three turns, and {@code 1,3/4} for two of four.
 *
 * @param turns the turns of the client, from 0, ascending
 * @param of the number of turns: 1 to 1,000,000
 */
public record Part(List<Integer> turns, int of) {

    /** All of a plan, for a client on its own. */
    public static final Part WHOLE = new Part(List.of(0), 1);

    private static final int MOST = 1_000_000;

    private static final Pattern TEXT = Pattern.compile("[0-9]{1,7}(,[0-9]{1,7})*/[0-9]{1,7}");

    /**
     * Checks the turns.
     *
     * @throws IllegalArgumentException if there is none, or one is out of range or out of order
     */
    public Part {
        Args.range("part: turns", of, 1, MOST);
        turns = Args.notEmpty("part", turns);
        if (!turns.equals(List.copyOf(new TreeSet<>(turns))) || turns.get(0) < 0 || turns.get(turns.size() - 1) >= of) {
            throw new ValueException("part " + text(turns, of), "turns of 1 to %d, ascending".formatted(of));
        }
    }

    /**
     * Reads the text of a part.
     *
     * @param text such as {@code 2/3}
     * @return the part
     * @throws IllegalArgumentException with a message that says what was expected
     */
    public static Part parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new ValueException("a part such as 2/3, or 1,3/4");
        }
        String[] halves = text.split("/");
        List<Integer> turns = new ArrayList<>();
        for (String turn : halves[0].split(",")) {
            turns.add(Integer.parseInt(turn) - 1);
        }
        return new Part(turns, Integer.parseInt(halves[1]));
    }

    /** {@return true if it is all of the plan: if it has every turn} */
    public boolean isWhole() {
        return turns.size() == of;
    }

    /**
     * Whether a user is the client's.
     *
     * @param user its number among all users of the phase, from 0
     * @return {@code true} if its turn is one of the part's
     */
    public boolean has(long user) {
        return isWhole() || turns.contains((int) (user % of));
    }

    /**
     * How many of the first users are the client's.
     *
     * @param users the number of users, 0 or more
     * @return at most as many
     */
    public long count(long users) {
        long rest = users % of;
        return users / of * turns.size()
                + turns.stream().filter(turn -> turn < rest).count();
    }

    /**
     * The number of one of the client's users.
     *
     * @param index its index, from 0
     * @return its number among all users of the phase, from 0
     */
    public int user(int index) {
        return (int) nth(index);
    }

    /**
     * The number of something else that is dealt as users are, such as a row of data.
     *
     * @param index its index among the client's, from 0
     * @return its number among all, from 0
     */
    public long nth(long index) {
        return index / turns.size() * of + turns.get((int) (index % turns.size()));
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return text(turns, of);
    }

    private static String text(List<Integer> turns, int of) {
        return turns.stream().map(turn -> Integer.toString(turn + 1)).collect(Collectors.joining(",")) + "/" + of;
    }
}
