package io.phaseload.plan.check;

import io.phaseload.input.Args;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A condition that a response must meet to count as a success. As text:
 *
 * <pre>
 * checks = check *( blanks check )
 * check  = ( "status=" statuses | "body~" text | "body=" text ) [ blanks "as" blanks text ]
 * text   = "'" characters "'" | '"' characters '"' | word
 * </pre>
 *
 * In a text between {@code '}, {@code ''} stands for {@code '}. In a journey, the text of a check
 * of the body is a template.
 */
public sealed interface Check {

    /**
     * Reads checks as typed on the command line.
     *
     * @param text such as {@code status=2xx body~'alive'}
     * @return in order, at least one
     * @throws IllegalArgumentException with a message that begins with "expected"
     */
    static List<Check> parse(String text) {
        return CheckText.checks(text);
    }

    /**
     * Reads what {@code toString()} wrote, whatever is within the quotes.
     *
     * @param text one check, or several
     * @return in order, at least one
     * @throws IllegalArgumentException with a message that begins with "expected"
     */
    static List<Check> parseWritten(String text) {
        return CheckText.written(text);
    }

    /**
     * The cause of the failure of a response that doesn't meet it.
     *
     * @return its text, or the name that it was given
     */
    default String cause() {
        return "check " + this;
    }

    /**
     * What is looked for in the body.
     *
     * @return empty if only the status is looked at
     */
    default Optional<String> bodyText() {
        return Optional.empty();
    }

    /**
     * This check of another body.
     *
     * @param text see {@link #bodyText()}
     * @return a copy; itself if only the status is looked at
     */
    default Check withBodyText(String text) {
        return this;
    }

    /**
     * The response's status is one of these. Replaces the rule that 200 to 399 is a success.
     *
     * @param allowed at least one
     */
    record StatusIs(List<Statuses> allowed) implements Check {

        /**
         * Checks that there is one.
         *
         * @throws IllegalArgumentException if there is none
         */
        public StatusIs {
            allowed = Args.notEmpty("statuses", allowed);
        }

        /**
         * Exactly one status.
         *
         * @param status 100 to 599
         * @throws IllegalArgumentException if the status is out of range
         */
        public StatusIs(int status) {
            this(List.of(new Statuses(status, status)));
        }

        /**
         * Reads what follows {@code status=} in a check.
         *
         * @param text such as {@code 200}, {@code 2xx} or {@code 200,201,3xx}
         * @return the check
         * @throws IllegalArgumentException if it isn't that
         */
        public static StatusIs parse(String text) {
            return new StatusIs(Stream.of(text.split(",", -1)).map(Statuses::parse).toList());
        }

        /**
         * Whether a response passes.
         *
         * @param status the response's
         * @return {@code true} if its status is allowed
         */
        public boolean allows(int status) {
            // By index: an iterator would be one object per response.
            for (int i = 0; i < allowed.size(); i++) {
                if (status >= allowed.get(i).from() && status <= allowed.get(i).to()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return allowed.stream()
                    .map(Statuses::toString)
                    .collect(Collectors.joining(",", "status=", ""));
        }
    }

    /**
     * One status, or a class such as 2xx.
     *
     * @param from the lowest, 100 to 599
     * @param to the highest: {@code from}, or the last of its class if {@code from} is the first
     */
    record Statuses(int from, int to) {

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if it is neither one status nor a class
         */
        public Statuses {
            Args.range("status", from, 100, 599);
            if (to != from && (from % 100 != 0 || to != from + 99)) {
                throw new IllegalArgumentException(
                        "statuses %s to %s: expected one, or a class".formatted(from, to));
            }
        }

        private static Statuses parse(String text) {
            if (text.matches("[1-5]xx")) {
                int first = (text.charAt(0) - '0') * 100;
                return new Statuses(first, first + 99);
            }
            if (!text.matches("[0-9]{3}")) {
                throw new IllegalArgumentException(
                        "status %s: expected a status such as 200, or 2xx".formatted(text));
            }
            return new Statuses(Integer.parseInt(text), Integer.parseInt(text));
        }

        @Override
        public String toString() {
            return from == to ? Integer.toString(from) : from / 100 + "xx";
        }
    }

    /**
     * A condition on the response's body, decoded as UTF-8, of which the first MiB is looked at.
     */
    sealed interface OfBody extends Check {

        /** {@return what is looked for, not empty} */
        String text();

        @Override
        default Optional<String> bodyText() {
            return Optional.of(text());
        }
    }

    /**
     * The response's body, decoded as UTF-8, contains this text within its first MiB.
     *
     * @param text not empty
     */
    record BodyContains(String text) implements OfBody {

        /**
         * Checks the text.
         *
         * @throws IllegalArgumentException if the text is blank
         */
        public BodyContains {
            Args.notBlank("body check", text);
        }

        @Override
        public Check withBodyText(String other) {
            return new BodyContains(other);
        }

        @Override
        public String toString() {
            return "body~" + CheckText.quoted(text);
        }
    }

    /**
     * The response's body, decoded as UTF-8, is exactly this text; of a longer one, the first MiB
     * is.
     *
     * @param text not empty
     */
    record BodyIs(String text) implements OfBody {

        /**
         * Checks the text.
         *
         * @throws IllegalArgumentException if the text is blank
         */
        public BodyIs {
            Args.notBlank("body check", text);
        }

        @Override
        public Check withBodyText(String other) {
            return new BodyIs(other);
        }

        @Override
        public String toString() {
            return "body=" + CheckText.quoted(text);
        }
    }

    /**
     * Another check, whose failure has a cause of its own.
     *
     * @param check has no name itself
     * @param cause such as {@code data was not validated}; without a colon, which causes of the
     *     client's own have
     */
    record Named(Check check, @Override String cause) implements Check {

        /**
         * Checks both.
         *
         * @throws IllegalArgumentException if the cause is blank, or longer than 100 characters, or
         *     has a colon or a control character, or the check has a name
         */
        public Named {
            Args.notBlank("name of a check", cause);
            if (cause.length() > 100
                    || cause.chars().anyMatch(c -> c == ':' || Character.isISOControl(c))) {
                throw new IllegalArgumentException(
                        "expected at most 100 characters without a colon as the name of check "
                                + check);
            }
            if (check instanceof Named) {
                throw new IllegalArgumentException(
                        "check %s: expected one without a name".formatted(check));
            }
        }

        @Override
        public Optional<String> bodyText() {
            return check.bodyText();
        }

        @Override
        public Check withBodyText(String text) {
            return new Named(check.withBodyText(text), cause);
        }

        @Override
        public String toString() {
            return check + " as " + CheckText.quoted(cause);
        }
    }
}
