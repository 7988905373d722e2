package io.phaseload.cli.sweep;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces names in braces by values. Braces around anything else stay: JSON has them, too.
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
