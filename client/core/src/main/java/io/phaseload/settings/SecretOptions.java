package io.phaseload.settings;

import static io.phaseload.input.Secrets.REDACTED;

import io.phaseload.input.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes secrets from options and their values. */
public final class SecretOptions {

    private static final Pattern OPTION_OF_HEADER = Pattern.compile("-H|-+(D)?(otlp-)?header");

    /** Options of curl and others whose value is a password or a cookie. */
    private static final Pattern OPTION_OF_SECRET = Pattern.compile("-[uabC]|--user");

    /** {@code -uNAME:PASSWORD} and {@code -H'Name: value'}. */
    private static final Pattern ATTACHED = Pattern.compile("(-[uH])([^=-].*)", Pattern.DOTALL);

    private static final Pattern OPTION_OF_PROXY = Pattern.compile("-x|--proxy|--socks5.*");

    private static final Pattern USER_INFO = Pattern.compile("(https?://)[^/?#\\s]*@");

    /** Options whose value may be a reference. */
    private static final Pattern OPTION_OF_REFERENCE =
            Pattern.compile("-H|--((otlp-)?header|bearer-token|credentials)");

    private static final Pattern REFERENCE = Pattern.compile("-|@.+|env:[A-Za-z_][A-Za-z0-9_]*");

    private SecretOptions() {}

    /**
     * Whether an option names the place of its value, which may be a secret, instead of the value.
     *
     * @param option such as {@code --bearer-token}
     * @param value as it was typed
     * @return {@code true} for {@code @FILE}, {@code -} and {@code env:NAME}
     */
    public static boolean isReference(String option, String value) {
        return OPTION_OF_REFERENCE.matcher(option).matches()
                && REFERENCE.matcher(value).matches();
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
    public static List<String> redact(List<String> line) {
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
        if (isReference(option, value)) {
            return value;
        }
        if (OPTION_OF_HEADER.matcher(option).matches()) {
            String name = value.split(":", 2)[0];
            return Secrets.isSecret(name) ? name + ": " + REDACTED : value;
        }
        if (OPTION_OF_PROXY.matcher(option).matches()) {
            return withoutUser(value, REDACTED);
        }
        return Secrets.isSecret(option) || OPTION_OF_SECRET.matcher(option).matches() ? REDACTED : redactUri(value);
    }

    private static String redactUri(String text) {
        return Secrets.redactQuery(USER_INFO.matcher(text).replaceAll("$1" + REDACTED + "@"));
    }

    /** Up to the last @: a password may contain one, or a slash, unescaped. */
    private static String withoutUser(String address, String mark) {
        return address.replaceFirst("(?s)^([A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1" + mark + "@");
    }

    /** The part of a value that a message may quote. */
    static Optional<String> shown(String setting, String text) {
        return switch (Setting.of(setting).shown()) {
            case "none" -> Optional.empty();
            case "address" -> Optional.of(withoutUser(text, "…"));
            case "name" -> Optional.of(text.strip().split("[:=\\s]", 2)[0]);
            case "quoted" -> Optional.of("'" + text + "'");
            default -> Optional.of(text);
        };
    }
}
