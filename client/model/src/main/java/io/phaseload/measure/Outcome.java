package io.phaseload.measure;

import io.phaseload.plan.check.Metric;
import java.util.Map;
import java.util.Set;

/** How one request ended. A failure is a value, never an exception that escapes. */
public sealed interface Outcome {

    /** A success without metrics and warnings: one for all, so that the hot path allocates nothing for it. */
    Outcome SUCCESS = new Success(Map.of());

    /**
     * The cause under which reports count this outcome.
     *
     * @return {@link Cause#SUCCESS} if nothing failed
     */
    Cause cause();

    /**
     * Details of this case, for people; not for counting.
     *
     * @return a line of text, or an empty text if {@link #cause()} says it all
     */
    default String detail() {
        return "";
    }

    /**
     * Whether a complete response was received, of any status.
     *
     * @return {@code true} for a success, an HTTP failure, a failed check and a missing value; of a response that is
     *     read as it arrives, once it has begun
     */
    default boolean responded() {
        return false;
    }

    /**
     * Whether the request was cut off at a time limit, so that its time is a lower bound.
     *
     * @return {@code true} for timeouts
     */
    default boolean censored() {
        return false;
    }

    /**
     * Whether the target couldn't be reached at all.
     *
     * @return {@code true} if no connection could be made, unless the client's own machine was the reason
     */
    default boolean unreachable() {
        return cause().isUnreachable();
    }

    /** A request with a complete response. */
    sealed interface Responded extends Outcome {
        @Override
        default boolean responded() {
            return true;
        }
    }

    /** A failure that only one protocol or client has; it brings its own cases. Immutable. */
    non-sealed interface OfProtocol extends Outcome {}

    /**
     * A complete response with a status of 200 to 399, or the checked one, and all checks held.
     *
     * @param metrics the numbers that the operation reads from the body
     * @param warnings the soft checks that didn't hold: the found values by the checks' causes
     * @param unchecked the causes of negated checks that held because there was no value or no body to check
     */
    record Success(Map<Metric, Double> metrics, Map<String, String> warnings, Set<String> unchecked)
            implements Responded {

        /**
         * A success whose checks hold, soft ones, too.
         *
         * @param metrics see {@link #metrics()}
         */
        public Success(Map<Metric, Double> metrics) {
            this(metrics, Map.of(), Set.of());
        }

        @Override
        public Cause cause() {
            return Cause.SUCCESS;
        }
    }

    /**
     * A complete response whose status says failure.
     *
     * @param status any status that is neither 200 to 399 nor the one that a check asks for; with a check of the
     *     status, 429 or 500 to 599
     * @param detail the value of its {@code Retry-After}, and the beginning of its body; or an empty text
     */
    record HttpFailure(int status, String detail) implements Responded {

        /** How the detail begins if the response has the header; seconds follow. */
        public static final String RETRY_AFTER = "Retry-After: ";

        /**
         * A failure without a detail.
         *
         * @param status see {@link #status()}
         */
        public HttpFailure(int status) {
            this(status, "");
        }

        /**
         * The same with what the response asks for.
         *
         * @param seconds to wait before the next attempt
         */
        public HttpFailure retryAfter(long seconds) {
            return new HttpFailure(status, RETRY_AFTER + seconds + (detail.isEmpty() ? "" : "; " + detail));
        }

        @Override
        public Cause cause() {
            return Cause.ofStatus(status);
        }
    }

    /**
     * A complete response in which a check didn't hold.
     *
     * @param cause such as {@code check body~'alive'}, or the name of the check
     * @param detail the status, or the beginning of the body, or an empty text
     */
    record CheckFailure(@Override Cause cause, String detail) implements Responded {

        /**
         * A failed check without a detail.
         *
         * @param key the cause's
         */
        public CheckFailure(String key) {
            this(Cause.of(key), "");
        }
    }

    /**
     * A complete response whose checks held, without a value that a later step takes.
     *
     * @param name the value's
     * @param step the name of the operation
     * @param detail the beginning of the body, or an empty text
     */
    record ExtractFailure(String name, String step, String detail) implements Responded {
        @Override
        public Cause cause() {
            return Cause.of("no " + name + " in " + step);
        }
    }

    /**
     * A complete response that asks for another request, which isn't sent.
     *
     * @param reason one of few texts, such as {@code too many redirects}
     * @param detail the detail in the response
     */
    record NotFollowed(String reason, String detail) implements Responded {
        @Override
        public Cause cause() {
            return Cause.of(reason);
        }
    }

    /**
     * A journey or a group of which a step failed.
     *
     * @param step the name of its operation
     * @param reason that step's cause
     */
    record StepFailure(String step, String reason) implements Outcome {
        @Override
        public Cause cause() {
            return Cause.of(step + ": " + reason);
        }
    }

    /** No complete response was received, for a reason without details. */
    enum NoResponse implements Outcome {
        /** The connection wasn't made within the connect timeout. */
        CONNECT_TIMEOUT(Cause.CONNECT_TIMEOUT, "no connection within the connect timeout", true),
        /** Nothing is listening on the port. */
        CONNECT_REFUSED(Cause.CONNECT_REFUSED, "nothing is listening on the port", false),
        /** No complete response within the response timeout, whatever part of it arrived. */
        READ_TIMEOUT(Cause.READ_TIMEOUT, "no complete response within the response timeout", true),
        /**
         * A kept connection ended within a round trip of the request, before any byte of a response: it is unknown
         * whether the server had read the request.
         */
        UNKNOWN_IF_READ(
                Cause.UNKNOWN_IF_READ,
                "the connection ended as the request was sent; it is unknown whether the server read the request",
                false),
        /**
         * The body ends with the connection, and TLS ended without close_notify: part of the body may be missing (RFC
         * 9112 §9.8).
         */
        NO_CLOSE_NOTIFY(Cause.NO_CLOSE_NOTIFY, "", false);

        private final Cause cause;
        private final String detail;
        private final boolean censored;

        NoResponse(Cause cause, String detail, boolean censored) {
            this.cause = cause;
            this.detail = detail;
            this.censored = censored;
        }

        @Override
        public Cause cause() {
            return cause;
        }

        @Override
        public String detail() {
            return detail;
        }

        @Override
        public boolean censored() {
            return censored;
        }
    }

    /**
     * The connection was reset, or closed before the response was complete.
     *
     * @param stage the part of the response that had arrived
     */
    record Reset(Stage stage) implements Outcome {

        /** How much of a response arrived before its connection ended. */
        public enum Stage {
            /** No byte of the response had arrived. */
            BEFORE_RESPONSE(Cause.RESET_BEFORE_RESPONSE),
            /** The status line or a header was incomplete. */
            IN_HEADER(Cause.RESET_IN_HEADER),
            /** The header was complete, the body was not. */
            IN_BODY(Cause.RESET_IN_BODY);

            private final Cause cause;

            Stage(Cause cause) {
                this.cause = cause;
            }

            /**
             * The stage of a response that broke off.
             *
             * @param begun true if a byte of it had arrived
             * @param headRead true if its header was complete
             */
            public static Stage of(boolean begun, boolean headRead) {
                return !begun ? BEFORE_RESPONSE : headRead ? IN_BODY : IN_HEADER;
            }
        }

        @Override
        public Cause cause() {
            return stage.cause;
        }

        @Override
        public String detail() {
            return "the server reset or closed the connection";
        }
    }

    /**
     * The TLS handshake failed, or TLS broke later.
     *
     * @param detail the message of TLS; for people, not for counting
     */
    record TlsFailure(@Override String detail) implements Outcome {
        @Override
        public Cause cause() {
            return Cause.TLS_FAILURE;
        }
    }

    /**
     * The response was not HTTP, or exceeded a limit of the client: 64 KiB per header line, 1,000 headers.
     *
     * @param detail the mistake; for people, not for counting
     */
    record MalformedResponse(@Override String detail) implements Outcome {
        @Override
        public Cause cause() {
            return Cause.MALFORMED_RESPONSE;
        }
    }

    /**
     * The client's own machine couldn't send it: name not resolved, no route, no free local port, no file descriptor,
     * or stopped while the request was in flight.
     *
     * @param cause such as {@link Cause#UNKNOWN_HOST}
     * @param detail the system's message
     */
    record ClientFault(@Override Cause cause, String detail) implements Outcome {

        /** The outcome of requests that were in flight when the run was stopped. */
        private static final ClientFault STOPPED = new ClientFault(Cause.STOPPED, "the run was stopped");

        /**
         * A fault of a kind that is rare.
         *
         * @param reason one of few texts, such as {@code internal}
         * @param detail the system's message
         */
        public ClientFault(String reason, String detail) {
            this(Cause.ofClient(reason), detail);
        }

        /**
         * The run was stopped while the request was in flight.
         *
         * @return a fault that is no {@linkplain Cause#isClientLimit() limit} of the client
         */
        public static ClientFault stopped() {
            return STOPPED;
        }
    }
}
