package io.phaseload.plan.check;

import io.phaseload.input.Args;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A condition that a response must meet to count as a success. As text:
 *
 * <pre>
 * checks = check *( blanks check )
 * check  = "status=" statuses | "body~" ( "'" text "'" | '"' text '"' | word )
 * </pre>
 *
 * In a text between {@code '}, {@code ''} stands for {@code '}.
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
     * The response's body, decoded as UTF-8, contains this text within its first MiB.
     *
     * @param text not empty
     */
    record BodyContains(String text) implements Check {

        /**
         * Checks the text.
         *
         * @throws IllegalArgumentException if the text is blank
         */
        public BodyContains {
            Args.notBlank("body check", text);
        }

        @Override
        public String toString() {
            return "body~'" + text.replace("'", "''") + "'";
        }
    }
}
