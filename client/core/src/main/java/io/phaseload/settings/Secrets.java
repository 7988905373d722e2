package io.phaseload.settings;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

    private static final Pattern OPTION_OF_HEADER = Pattern.compile("-H|-+(D)?header");

    /** Options of curl and others whose value is a password or a cookie. */
    private static final Pattern OPTION_OF_SECRET = Pattern.compile("-[uabC]|--user");

    /** {@code -uNAME:PASSWORD} and {@code -H'Name: value'}. */
    private static final Pattern ATTACHED = Pattern.compile("(-[uH])([^=-].*)", Pattern.DOTALL);

    private static final Pattern OPTION_OF_PROXY = Pattern.compile("-x|--proxy|--socks5.*");

    private static final Pattern USER_INFO = Pattern.compile("(https?://)[^/?#\\s]*@");

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
     * A JVM flag without its secret.
     *
     * @param flag such as {@code -Dname=value}
     * @return it without its value, if the name suggests a secret, and without secrets in a URI
     */
    public static String redactFlag(String flag) {
        int equals = flag.indexOf('=');
        if (equals < 0) {
            return redactUri(flag);
        }
        String name = flag.substring(0, equals);
        return name + "=" + redactValue(name, flag.substring(equals + 1));
    }

    /**
     * A command line without its secrets.
     *
     * @param line options and their values
     * @return a copy without the values of options, headers and query parameters whose name suggests a secret
     */
    public static List<String> redactArguments(List<String> line) {
        List<String> redacted = new ArrayList<>();
        String option = "";
        for (String word : line) {
            Matcher attached = ATTACHED.matcher(word);
            if (attached.matches()) {
                redacted.add(attached.group(1) + redactValue(attached.group(1), attached.group(2)));
            } else if (word.startsWith("-")) {
                option = word;
                redacted.add(redactFlag(word));
            } else {
                redacted.add(redactValue(option, word));
                option = "";
            }
        }
        return redacted;
    }

    private static String redactValue(String option, String value) {
        if (OPTION_OF_HEADER.matcher(option).matches()) {
            String name = value.split(":", 2)[0];
            return isSecret(name) ? name + ": " + REDACTED : value;
        }
        if (OPTION_OF_PROXY.matcher(option).matches()) {
            return withoutUser(value, REDACTED);
        }
        return isSecret(option) || OPTION_OF_SECRET.matcher(option).matches() ? REDACTED : redactUri(value);
    }

    private static String redactUri(String text) {
        return redactQuery(USER_INFO.matcher(text).replaceAll("$1" + REDACTED + "@"));
    }

    /**
     * A text without certain values, whether as they are or percent-encoded.
     *
     * @param text any
     * @param values secrets; empty ones are nowhere
     * @return it with {@link #REDACTED} in their place
     */
    public static String redactValues(String text, List<String> values) {
        String hidden = text;
        for (String form : forms(values)) {
            hidden = hidden.replace(form, REDACTED);
        }
        return hidden;
    }

    /**
     * The beginning of a text without certain values, whether as they are or percent-encoded.
     *
     * @param text any, cut off somewhere
     * @param values secrets; empty ones are nowhere
     * @return it with {@link #REDACTED} in their place, also for the part of one at its end
     */
    public static String redactValuesOfCut(String text, List<String> values) {
        String hidden = redactValues(text, values);
        for (String form : forms(values)) {
            for (int shown = Math.min(form.length() - 1, hidden.length()); shown > 0; shown--) {
                if (hidden.endsWith(form.substring(0, shown))) {
                    return hidden.substring(0, hidden.length() - shown) + REDACTED;
                }
            }
        }
        return hidden;
    }

    private static Set<String> forms(List<String> values) {
        Set<String> forms = new LinkedHashSet<>();
        for (String value : values) {
            if (!value.isEmpty()) {
                forms.add(value);
                forms.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        }
        return forms;
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

    /** Up to the last @: a password may contain one, or a slash, unescaped. */
    private static String withoutUser(String address, String mark) {
        return address.replaceFirst("(?s)^([A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1" + mark + "@");
    }

    /** What a message may repeat of a value. */
    static Optional<String> shown(Setting setting, String text) {
        return switch (setting) {
            case CREDENTIALS, BEARER_TOKEN -> Optional.empty();
            default -> setting.kind().type() == Kind.Type.FLAG
                    ? Optional.empty()
                    : Optional.of(withoutSecret(setting, text));
        };
    }

    private static String withoutSecret(Setting setting, String text) {
        return switch (setting) {
            case URL, SERVER_METRICS, PROXY -> withoutUser(text, "…");
            case HEADER -> text.strip().split("[:=\\s]", 2)[0];
            case THRESHOLD -> "'" + text + "'";
            default -> text;
        };
    }
}
