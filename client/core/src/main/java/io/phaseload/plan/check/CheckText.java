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
     * No alternatives within single quotes: their recursion would overflow the stack on a long
     * text.
     */
    private static final String BODY =
            "body~(?:'((?!'(?!'))[^']*+(?:''[^']*+)*+)'|\"([^\"]+)\"|([^'\"\\s]+))";

    private static final Pattern CHECK =
            Pattern.compile("(?:" + STATUS + "|" + BODY + ")(?:\\s+|$)");

    /** How earlier versions wrote a text with quotes. */
    private static final Pattern QUOTED = Pattern.compile("body~'(.+)'", Pattern.DOTALL);

    private static final String EXPECTED =
            "checks such as status=200, status=2xx or body~'alive', with blanks between";

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

    private static Check check(Matcher matcher) {
        if (matcher.group(1) != null) {
            return Check.StatusIs.parse(matcher.group(1));
        }
        if (matcher.group(2) != null) {
            return new Check.BodyContains(matcher.group(2).replace("''", "'"));
        }
        for (int group = 3; group <= 4; group++) {
            if (matcher.group(group) != null) {
                return new Check.BodyContains(matcher.group(group));
            }
        }
        throw new IllegalStateException(matcher.group());
    }
}
