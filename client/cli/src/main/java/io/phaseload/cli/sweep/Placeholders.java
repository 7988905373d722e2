package io.phaseload.cli.sweep;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts values in the place of their names in braces. Braces around anything else stay: JSON has
 * them, too.
 *
 * @param values by name
 */
record Placeholders(Map<String, String> values) {

    private static final Pattern NAMED = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_]*)}");

    String fill(String text) {
        return NAMED.matcher(text)
                .replaceAll(
                        match ->
                                Matcher.quoteReplacement(
                                        values.getOrDefault(match.group(1), match.group())));
    }
}
