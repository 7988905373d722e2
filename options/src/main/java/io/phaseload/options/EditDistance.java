package io.phaseload.options;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** How many letters to insert, delete or replace to turn one word into another (Levenshtein). */
public final class EditDistance {

    private static final int NEAR = 2;

    private EditDistance() {}

    /**
     * Guesses the intended word.
     *
     * @param word as it was written
     * @param known the known words
     * @return the nearest word that is at most two letters away, if any
     */
    public static Optional<String> nearest(String word, Collection<String> known) {
        return known.stream()
                .filter(other -> between(word, other) <= NEAR)
                .min(Comparator.comparingInt(other -> between(word, other)));
    }

    static int between(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
