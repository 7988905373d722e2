package io.phaseload.plan.check;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A condition that a response must meet to count as a success. As text:
 *
 * <pre>
 * checks   = check *( blanks check )
 * check    = [ "warn:" ] [ "not:" ] subject [ operator text ] [ blanks "as" blanks text ]
 * subject  = "status" | "time" | "size" | "type" | "body" | "bytes" | "sha256" | "schema:" text
 *          | [ "count:" ] ( "header:" | "cookie:" | "json:" | "jsonpath:" | "css:" | "xpath:" ) text
 * operator = "=" | "!=" | "~" | "!~" | "&lt;" | "&lt;=" | "&gt;" | "&gt;="
 * text     = "'" characters "'" | '"' characters '"' | word | "/" regex "/" after "~" and "!~"
 * </pre>
 *
 * In a text between {@code '}, {@code ''} stands for {@code '}. An expression without quotes ends at a blank or an
 * operator outside of brackets. Without an operator, there must be a value. Of several values the first one is
 * compared. Of a body, only the first MiB is kept and searched. In a journey, the text that a body or a value is
 * compared with is a template.
 */
public sealed interface Check permits Check.StatusIs, Check.BodyCheck, Check.Around, ValueCheck {

    /** The beginning of the cause of a check without a name. */
    String CAUSE = "check ";

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
        return CAUSE + this;
    }

    /** {@return true if it replaces the rule that a status of 200 to 399 is a success} */
    default boolean ofStatus() {
        return false;
    }

    /** {@return true if it needs the response's header} */
    default boolean ofHead() {
        return false;
    }

    /** {@return true if it needs the response's body} */
    default boolean ofBody() {
        return false;
    }

    /** {@return the text that a journey fills in; empty if there is none} */
    default Optional<String> template() {
        return Optional.empty();
    }

    /**
     * This check with another text.
     *
     * @param text see {@link #template()}
     * @return a copy; itself if it has no such text
     */
    default Check withTemplate(String text) {
        return this;
    }

    /** {@return the text of the opposite check} */
    default String negated() {
        return "not:" + this;
    }

    /**
     * The response's status is one of these. Replaces the rule that 200 to 399 is a success.
     *
     * @param allowed at least one
     */
    record StatusIs(List<StatusCheck> allowed) implements Check {

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
            this(List.of(new StatusCheck(status, status)));
        }

        /**
         * Reads what follows {@code status=} in a check.
         *
         * @param text such as {@code 200}, {@code 2xx} or {@code 200,201,3xx}
         * @return the check
         * @throws IllegalArgumentException if it isn't that
         */
        public static StatusIs parse(String text) {
            return new StatusIs(
                    Stream.of(text.split(",", -1)).map(StatusCheck::parse).toList());
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
        public boolean ofStatus() {
            return true;
        }

        @Override
        public String toString() {
            return "status=" + statuses();
        }

        @Override
        public String negated() {
            return "status!=" + statuses();
        }

        private String statuses() {
            return allowed.stream().map(StatusCheck::toString).collect(Collectors.joining(","));
        }
    }

    /**
     * One status, or a class such as 2xx.
     *
     * @param from the lowest, 100 to 599
     * @param to the highest: {@code from}, or the last of its class if {@code from} is the first
     */
    record StatusCheck(int from, int to) {

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if it is neither one status nor a class
         */
        public StatusCheck {
            Args.range("status", from, 100, 599);
            if (to != from && (from % 100 != 0 || to != from + 99)) {
                throw new ValueException("statuses %s to %s".formatted(from, to), "one, or a class");
            }
        }

        private static StatusCheck parse(String text) {
            if (text.matches("[1-5]xx")) {
                int first = (text.charAt(0) - '0') * 100;
                return new StatusCheck(first, first + 99);
            }
            if (!text.matches("[0-9]{3}")) {
                throw new ValueException("status " + text, "a status such as 200, or 2xx");
            }
            return new StatusCheck(Integer.parseInt(text), Integer.parseInt(text));
        }

        @Override
        public String toString() {
            return from == to ? Integer.toString(from) : from / 100 + "xx";
        }
    }

    /**
     * The response's body, decoded as UTF-8, is this text or contains it. Only the first MiB of a body is compared.
     *
     * @param text not empty
     * @param whole true if the body is exactly this text
     */
    record BodyCheck(String text, boolean whole) implements Check {

        /**
         * Checks the text.
         *
         * @throws IllegalArgumentException if the text is blank
         */
        public BodyCheck {
            Args.notBlank("body check", text);
        }

        @Override
        public boolean ofBody() {
            return true;
        }

        @Override
        public Optional<String> template() {
            return Optional.of(text);
        }

        @Override
        public Check withTemplate(String other) {
            return new BodyCheck(other, whole);
        }

        @Override
        public String toString() {
            return (whole ? "body=" : "body~") + CheckWord.quoted(text);
        }

        @Override
        public String negated() {
            return (whole ? "body!=" : "body!~") + CheckWord.quoted(text);
        }
    }

    /** A check around another check, of which it looks at the same parts of a response. */
    sealed interface Around extends Check {

        /** {@return the check within} */
        Check check();

        /**
         * This check around another one.
         *
         * @param other the check within
         * @return a copy
         */
        Check around(Check other);

        @Override
        default boolean ofStatus() {
            return check().ofStatus();
        }

        @Override
        default boolean ofHead() {
            return check().ofHead();
        }

        @Override
        default boolean ofBody() {
            return check().ofBody();
        }

        @Override
        default Optional<String> template() {
            return check().template();
        }

        @Override
        default Check withTemplate(String text) {
            return around(check().withTemplate(text));
        }
    }

    /**
     * Another check, whose failure has a cause of its own.
     *
     * @param check has no name itself
     * @param cause such as {@code data was not validated}; without a colon, which causes of the client's own have
     */
    record Named(Check check, @Override String cause) implements Around {

        /**
         * Checks both.
         *
         * @throws IllegalArgumentException if the cause is blank, or longer than 100 characters, or has a colon or a
         *     control character, or the check has a name
         */
        public Named {
            Args.notBlank("name of a check", cause);
            if (cause.length() > 100 || cause.chars().anyMatch(c -> c == ':' || Character.isISOControl(c))) {
                throw new ValueException("at most 100 characters without a colon as the name of check " + check);
            }
            if (check instanceof Named || check instanceof Soft) {
                throw new ValueException("check " + check, "a check without a name");
            }
        }

        @Override
        public Check around(Check other) {
            return new Named(other, cause);
        }

        @Override
        public String toString() {
            return check + " as " + CheckWord.quoted(cause);
        }
    }

    /**
     * The opposite of a check.
     *
     * @param check has no name, and isn't negated or soft itself
     */
    record Negated(Check check) implements Around {

        /**
         * Checks it.
         *
         * @throws IllegalArgumentException if the check has a name, or is negated or soft
         */
        public Negated {
            if (check instanceof Named || check instanceof Negated || check instanceof Soft) {
                throw new ValueException("check " + check, "not: once, after warn:");
            }
        }

        @Override
        public Check around(Check other) {
            return new Negated(other);
        }

        @Override
        public String toString() {
            return check.negated();
        }
    }

    /**
     * A check that is counted as a warning where it doesn't hold; the request is a success.
     *
     * @param check the check, which may have a name
     */
    record Soft(Check check) implements Around {

        /**
         * Checks it.
         *
         * @throws IllegalArgumentException if the check is soft itself
         */
        public Soft {
            if (check instanceof Soft) {
                throw new ValueException("warn: once");
            }
        }

        @Override
        public String cause() {
            return check.cause();
        }

        @Override
        public boolean ofStatus() {
            return false;
        }

        @Override
        public Check around(Check other) {
            return new Soft(other);
        }

        @Override
        public String toString() {
            return "warn:" + check;
        }
    }
}
