package io.phaseload.cli.sweep;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces names in braces by values. Braces around anything else stay: JSON has them, too.
 *
 * @param values by name
 * @param used gets the names that were replaced
 */
record Placeholders(Map<String, String> values, Set<String> used) {

    private static final Pattern NAMED = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_]*)}");
    private static final Pattern WITHOUT_DOLLAR = Pattern.compile("(?<!\\$)" + NAMED);

    String fill(String text) {
        return fill(NAMED, text);
    }

    /** In a plan, a dollar sign before braces makes them another tool's, which are refused. */
    String fillPlan(String text) {
        return fill(WITHOUT_DOLLAR, text);
    }

    private String fill(Pattern names, String text) {
        return names.matcher(text).replaceAll(match -> Matcher.quoteReplacement(value(match.group(1), match.group())));
    }

    private String value(String name, String braces) {
        if (!values.containsKey(name)) {
            return braces;
        }
        used.add(name);
        return values.get(name);
    }
}
