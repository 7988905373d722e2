package io.phaseload.options;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * The number of letters to insert, delete, replace or swap with their neighbour to turn one word into another. Case,
 * hyphens and underscores don't count.
 */
public final class EditDistance {

    /** Words of this length may differ by one letter, those of twice the length by two. */
    private static final int LETTERS_PER_MISTAKE = 4;

    private EditDistance() {}

    /**
     * Guesses the intended word.
     *
     * @param word as it was written
     * @param known the known words
     * @return the nearest word, if it is near enough to be meant
     */
    public static Optional<String> nearest(String word, Collection<String> known) {
        String written = letters(word);
        return known.stream()
                .filter(other -> between(written, letters(other))
                        <= Math.max(written.length(), letters(other).length()) / LETTERS_PER_MISTAKE)
                .min(Comparator.comparingInt(other -> between(written, letters(other))));
    }

    private static String letters(String word) {
        return word.toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
    }

    static int between(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    rows[i][j] = i + j;
                    continue;
                }
                int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                rows[i][j] = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[a.length()][b.length()];
    }
}
