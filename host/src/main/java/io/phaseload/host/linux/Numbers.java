package io.phaseload.host.linux;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers as the kernel writes them. */
public final class Numbers {

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private Numbers() {}

    /**
     * A word between white space.
     *
     * @param line a text without anything else before it
     * @return one word or more; one that is empty if there is none
     */
    public static String[] words(String line) {
        return SPACE.split(line.strip());
    }

    /**
     * A counter of up to 64 bits, which may have passed 2^63: differences come out right.
     *
     * @param text digits
     * @return empty if they are something else
     */
    public static Optional<Long> counter(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(Long.parseUnsignedLong(text));
        } catch (NumberFormatException e) {
            // No digit at all, or too many.
            return Optional.empty();
        }
    }

    /**
     * The counter at a place.
     *
     * @param words of a line
     * @param place from 0 on
     * @return empty if there are fewer words, or it is no counter
     */
    public static Optional<Long> counter(String[] words, int place) {
        return place < words.length ? counter(words[place]) : Optional.empty();
    }

    /**
     * The counter behind a name.
     *
     * @param text of a file
     * @param name ends before the counter
     * @return of the first line that has the name; empty if there is none, or no counter follows
     */
    static Optional<Long> counter(String text, Pattern name) {
        Matcher found = name.matcher(text);
        if (!found.find()) {
            return Optional.empty();
        }
        int end = text.indexOf('\n', found.end());
        return counter(words(text.substring(found.end(), end < 0 ? text.length() : end)), 0);
    }
}
