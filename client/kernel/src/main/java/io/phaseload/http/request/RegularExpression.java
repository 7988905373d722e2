package io.phaseload.http.request;

import io.phaseload.journey.ContentReader;
import io.phaseload.plan.check.Requirement.Matches;
import java.util.function.Predicate;

/** Prepares the regular expressions of checks. */
final class RegularExpression {

    /** No expression that looks for something matches both this and an empty text. */
    private static final String ANY = "q7 \u00e9_Z";

    private RegularExpression() {}

    /**
     * Prepares one.
     *
     * @return true if it matches somewhere in a text
     * @throws IllegalArgumentException with a message that begins with "expected", if it isn't one of RE2, matches
     *     every text, or there is no library for it
     */
    static Predicate<String> of(Matches requirement) {
        Predicate<String> pattern = ContentReader.required().pattern(requirement.expression());
        if (pattern.test("") && pattern.test(ANY)) {
            throw new IllegalArgumentException("expected a regular expression that doesn't match every text");
        }
        return pattern;
    }
}
