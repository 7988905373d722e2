package io.phaseload.input;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes secrets from what is written. */
public final class Secrets {

    /** Stands in for a secret. */
    public static final String REDACTED = "[redacted]";

    private static final Pattern SECRET_NAME =
            Pattern.compile(".*(auth|cookie|password|passwd|passphrase|secret|token|signature|credential"
                    + "|api-?_?key|access-?_?key|private-?_?key).*|key|sig|pwd");

    private static final Pattern QUERY_PARAMETER = Pattern.compile("([?&])([^=&#]+)=([^&#]*)");

    private Secrets() {}

    /**
     * A header's value without its secret.
     *
     * @param name the header's
     * @return the value, or {@link #REDACTED} if the name suggests a secret
     */
    public static String redactHeader(String name, String value) {
        return isSecret(name) ? REDACTED : value;
    }

    /**
     * An address without its secrets.
     *
     * @param uri an address or a path
     * @return it without the values of query parameters whose name suggests a secret
     */
    public static String redactQuery(String uri) {
        return QUERY_PARAMETER
                .matcher(uri)
                .replaceAll(match -> Matcher.quoteReplacement(
                        isSecret(match.group(2)) ? match.group(1) + match.group(2) + "=" + REDACTED : match.group()));
    }

    /**
     * Names without secrets.
     *
     * @param all such as those of a plan's operations
     * @return in order; equal ones get numbers
     */
    public static List<String> redactNames(List<String> all) {
        Set<String> names = new LinkedHashSet<>();
        for (String one : all) {
            String name = redactQuery(one);
            String unique = name;
            for (int i = 2; !names.add(unique); i++) {
                // Without a space, so that it isn't mistaken for a part of a secret later.
                unique = name + "#" + i;
            }
        }
        return List.copyOf(names);
    }

    /**
     * A text without certain values, also where they are percent-encoded, escaped as in JSON or HTML, or in base 64.
     *
     * @param text any
     * @param values secrets; empty ones are nowhere
     * @return it with {@link #REDACTED} in their place
     */
    public static String redactValues(String text, List<String> values) {
        return redacted(text, values, false);
    }

    /**
     * The beginning of a text without certain values, as {@link #redactValues}.
     *
     * @param text any, cut off somewhere
     * @param values secrets; empty ones are nowhere
     * @return it with {@link #REDACTED} in their place, also for the part of one at its end
     */
    public static String redactValuesOfCut(String text, List<String> values) {
        return redacted(text, values, true);
    }

    private static String redacted(String text, List<String> values, boolean cut) {
        if (values.isEmpty()) {
            return text;
        }
        SecretForms secrets = new SecretForms(values);
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int end = secrets.end(text, i, cut);
            if (end == i) {
                shown.append(text.charAt(i++));
            } else {
                shown.append(REDACTED);
                i = end;
            }
        }
        return shown.toString();
    }

    /**
     * Whether a secret was removed from a text.
     *
     * @param text a header's value, a URL or a path
     * @return {@code true} if it contains {@link #REDACTED}
     */
    public static boolean isRedacted(String text) {
        return text.contains(REDACTED);
    }

    /**
     * Whether a name suggests that its value is a secret.
     *
     * @param name of a header, a parameter or a variable
     * @return {@code true} for names such as {@code password}
     */
    public static boolean isSecret(String name) {
        return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }
}
