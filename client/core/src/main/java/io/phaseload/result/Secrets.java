package io.phaseload.result;

import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes secrets out of what is written. */
final class Secrets {

    static final String REDACTED = "[redacted]";

    private static final Pattern SECRET_NAME =
            Pattern.compile(
                    ".*(auth|cookie|password|passwd|secret|token|signature|credential"
                            + "|api-?_?key|access-?_?key|private-?_?key).*|key|sig|pwd");

    private static final Pattern QUERY_PARAMETER = Pattern.compile("([?&])([^=&#]+)=([^&#]*)");

    private Secrets() {}

    static Header redact(Header header) {
        return isSecret(header.name()) ? new Header(header.name(), REDACTED) : header;
    }

    /** A URI or path whose query parameters with a secret's name have lost their values. */
    static String redactQuery(String uri) {
        return QUERY_PARAMETER
                .matcher(uri)
                .replaceAll(
                        match ->
                                Matcher.quoteReplacement(
                                        isSecret(match.group(2))
                                                ? match.group(1) + match.group(2) + "=" + REDACTED
                                                : match.group()));
    }

    /** The names of operations without secrets; those that are the same then get numbers. */
    static List<String> redactNames(List<Operation> operations) {
        Set<String> names = new LinkedHashSet<>();
        for (Operation operation : operations) {
            String name = redactQuery(operation.name());
            String unique = name;
            for (int i = 2; !names.add(unique); i++) {
                // Without a blank, so that it isn't taken for a part of a secret again.
                unique = name + "#" + i;
            }
        }
        return List.copyOf(names);
    }

    /** A flag of the JVM, without its value, or its URI's, where the name is a secret's. */
    static String redactFlag(String flag) {
        int equals = flag.indexOf('=');
        return equals > 0 && isSecret(flag.substring(0, equals))
                ? flag.substring(0, equals + 1) + REDACTED
                : redactQuery(flag);
    }

    private static boolean isSecret(String name) {
        return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }
}
