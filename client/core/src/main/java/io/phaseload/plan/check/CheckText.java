package io.phaseload.plan.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link Check}s, whose Javadoc has the grammar. */
final class CheckText {

    private static final String STATUS =
            "status=((?:[1-5]xx|[0-9]{3})(?:,(?:[1-5]xx|[0-9]{3})){0,99})";

    /**
     * A text. No alternatives within single quotes: their recursion would overflow the stack on a
     * long text.
     */
    private static final String TEXT =
            "(?:'((?!'(?!'))[^']*+(?:''[^']*+)*+)'|\"([^\"]+)\"|([^'\"\\s]+))";

    private static final Pattern CHECK =
            Pattern.compile(
                    "(?:%s|body([~=])%s)(?:\\s+as\\s+%s)?(?:\\s+|$)".formatted(STATUS, TEXT, TEXT));

    private static final int STATUSES = 1;
    private static final int BODY = 2;
    private static final int NAME = 6;

    /** How earlier versions wrote a text with quotes. */
    private static final Pattern QUOTED = Pattern.compile("body~'(.+)'", Pattern.DOTALL);

    private static final String EXPECTED =
            "checks such as status=200, status=2xx, body~'alive', body='alive' or"
                    + " body='alive' as 'a cause', with blanks between";

    private CheckText() {}

    static List<Check> checks(String text) {
        List<Check> checks = new ArrayList<>();
        Matcher matcher = CHECK.matcher(text);
        int position = text.length() - text.stripLeading().length();
        do {
            if (!matcher.region(position, text.length()).lookingAt()) {
                throw new IllegalArgumentException(
                        "expected %s; found something else at character %d"
                                .formatted(EXPECTED, position + 1));
            }
            checks.add(check(matcher));
            position = matcher.end();
        } while (position < text.length());
        return checks;
    }

    static List<Check> written(String text) {
        Matcher quoted = QUOTED.matcher(text);
        try {
            return checks(text);
        } catch (IllegalArgumentException e) {
            if (quoted.matches()) {
                return List.of(new Check.BodyContains(quoted.group(1)));
            }
            throw e;
        }
    }

    /** A text as it is read again. */
    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static Check check(Matcher matcher) {
        Check check = unnamed(matcher);
        String name = text(matcher, NAME);
        return name.isEmpty() ? check : new Check.Named(check, name);
    }

    private static Check unnamed(Matcher matcher) {
        if (matcher.group(STATUSES) != null) {
            return Check.StatusIs.parse(matcher.group(STATUSES));
        }
        String text = text(matcher, BODY + 1);
        return matcher.group(BODY).equals("=")
                ? new Check.BodyIs(text)
                : new Check.BodyContains(text);
    }

    /** The text of three groups, of which at most one has matched; empty if none has. */
    private static String text(Matcher matcher, int first) {
        if (matcher.group(first) != null) {
            return matcher.group(first).replace("''", "'");
        }
        for (int group = first + 1; group <= first + 2; group++) {
            if (matcher.group(group) != null) {
                return matcher.group(group);
            }
        }
        return "";
    }
}
