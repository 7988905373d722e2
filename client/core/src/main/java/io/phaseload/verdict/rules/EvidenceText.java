package io.phaseload.verdict.rules;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with figures in it.
 *
 * @param text for people, written alike in every locale
 * @param figures by name, in the text's order
 */
public record EvidenceText(String text, Map<String, Number> figures) {

    private static final Pattern EVIDENCE = Pattern.compile("\\{(\\w+)(?::(%[^}]+))?}");

    /**
     * Fills a pattern.
     *
     * @param pattern has its evidence in braces: a name, and for a figure how {@link String#format} writes it. A value
     *     without a format is a word, not a figure
     * @param evidence in the pattern's order
     * @return the text and its figures
     */
    public static EvidenceText of(String pattern, Object... evidence) {
        Map<String, Number> figures = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder();
        Matcher matcher = EVIDENCE.matcher(pattern);
        int at = 0;
        for (int i = 0; matcher.find(); i++) {
            text.append(pattern, at, matcher.start());
            if (matcher.group(2) == null) {
                text.append(evidence[i]);
            } else {
                figures.put(matcher.group(1), (Number) evidence[i]);
                text.append(String.format(Locale.ROOT, matcher.group(2), evidence[i]));
            }
            at = matcher.end();
        }
        text.append(pattern, at, pattern.length());
        return new EvidenceText(text.toString(), figures);
    }

    /**
     * A pattern with the names of its evidence.
     *
     * @param pattern as {@link #of} takes it
     * @return each name in angle brackets
     */
    public static String withNames(String pattern) {
        return EVIDENCE.matcher(pattern).replaceAll("<$1>");
    }
}
