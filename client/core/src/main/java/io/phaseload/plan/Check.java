package io.phaseload.plan;

/** What a response must fulfil to count as a success, beyond being a response. */
public sealed interface Check {

    /**
     * The response's status is this one, whatever it means; takes the place of the rule that 200 to
     * 399 is a success.
     *
     * @param status 100 to 599
     */
    record StatusIs(int status) implements Check {

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the status is out of range
         */
        public StatusIs {
            Args.range("status", status, 100, 599);
        }

        @Override
        public String toString() {
            return "status=" + status;
        }
    }

    /**
     * The response's body, decoded as UTF-8, contains this text. At most the first MiB is looked
     * at.
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
            return "body~'" + text + "'";
        }
    }
}
