package io.phaseload.input;

import io.phaseload.options.ValueException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A position in a text that is read word by word; messages point at it. Not thread-safe. */
public final class Cursor {

    private final String text;
    private int position;

    /** Starts at the beginning. */
    public Cursor(String text) {
        this.text = text;
    }

    /** {@return the number of characters before it} */
    public int position() {
        return position;
    }

    /**
     * Moves.
     *
     * @param newPosition the number of characters before it
     */
    public void moveTo(int newPosition) {
        position = newPosition;
    }

    /**
     * Reads what matches here and moves past it.
     *
     * @param pattern with a group
     * @return its first group; {@code null} if it doesn't match, and the position stays
     */
    public String next(Pattern pattern) {
        Matcher matcher = at(pattern);
        if (!matcher.lookingAt()) {
            return null;
        }
        position = matcher.end();
        return matcher.group(1);
    }

    /**
     * Whether something matches here.
     *
     * @return {@code true} if it does
     */
    public boolean startsWith(Pattern pattern) {
        return at(pattern).lookingAt();
    }

    private Matcher at(Pattern pattern) {
        return pattern.matcher(text).region(position, text.length());
    }

    /** Finds the next word, without moving. */
    public int skipBlanks() {
        int i = position;
        while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
            i++;
        }
        return i;
    }

    /**
     * Makes an exception that points at a place.
     *
     * @return an exception whose message begins with "expected" and points at the character
     */
    public IllegalArgumentException failure(String expected, int at) {
        String found = at < text.length() ? "'" + text.substring(at) + "'" : "the end";
        return new ValueException("%s at character %d, found %s".formatted(expected, at + 1, found));
    }
}
