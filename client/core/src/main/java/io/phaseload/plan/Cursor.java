package io.phaseload.plan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A place in a text that is read word by word, for messages that point at it. Not thread-safe. */
final class Cursor {

    private final String text;
    private int position;

    Cursor(String text) {
        this.text = text;
    }

    int position() {
        return position;
    }

    void moveTo(int newPosition) {
        position = newPosition;
    }

    /** The first group of what stands here, which is then passed; {@code null} if it doesn't. */
    String next(Pattern pattern) {
        Matcher matcher = at(pattern);
        if (!matcher.lookingAt()) {
            return null;
        }
        position = matcher.end();
        return matcher.group(1);
    }

    boolean startsWith(Pattern pattern) {
        return at(pattern).lookingAt();
    }

    private Matcher at(Pattern pattern) {
        return pattern.matcher(text).region(position, text.length());
    }

    /** Where the next word begins. */
    int skipBlanks() {
        int i = position;
        while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
            i++;
        }
        return i;
    }

    IllegalArgumentException failure(String expected, int at) {
        String found = at < text.length() ? "'" + text.substring(at) + "'" : "the end";
        return new IllegalArgumentException(
                "expected %s at character %d, found %s".formatted(expected, at + 1, found));
    }
}
