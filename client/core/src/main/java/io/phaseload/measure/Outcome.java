package io.phaseload.measure;

import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Metric;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** How one request ended. A failure is a value, never an exception that escapes. */
public sealed interface Outcome {

    /** A success without metrics and warnings: one for all, so that the hot path allocates nothing for it. */
    Outcome SUCCESS = new Success(Map.of());

    /**
     * The name under which reports count this outcome. There are few, so that counts stay small.
     *
     * @return lower-case text such as {@code read timeout} or {@code http 503}
     */
    String cause();

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
     * @return {@code true} for a success, an HTTP failure, a failed check and a missing value; of a stream of events,
     *     once it has begun
     */
    default boolean responded() {
        return this instanceof Success
                || this instanceof HttpFailure
                || this instanceof CheckFailure
                || this instanceof ExtractFailure
                || this instanceof NotFollowed
                || this instanceof StreamFailure;
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
        return this instanceof ConnectRefused
                || this instanceof ConnectTimeout
                || this instanceof TlsFailure
                || this instanceof ClientFault fault && ClientFault.isNoWay(fault.cause());
    }

    /**
     * A complete response with a status of 200 to 399, or the checked one, and all checks held.
     *
     * @param metrics the numbers that the operation reads from the body
     * @param warnings the soft checks that didn't hold: the found values by the checks' causes
     * @param unchecked the causes of negated checks that held because there was no value or no body to check
     */
    record Success(Map<Metric, Double> metrics, Map<String, String> warnings, Set<String> unchecked)
            implements Outcome {

        /**
         * A success whose checks hold, soft ones, too.
         *
         * @param metrics see {@link #metrics()}
         */
        public Success(Map<Metric, Double> metrics) {
            this(metrics, Map.of(), Set.of());
        }

        @Override
        public String cause() {
            return "success";
        }
    }

    /**
     * A complete response whose status says failure.
     *
     * @param status any status that is neither 200 to 399 nor the one that a check asks for; with a check of the
     *     status, 429 or 500 to 599
     * @param detail what its {@code Retry-After} says, and the beginning of its body; or an empty text
     */
    record HttpFailure(int status, String detail) implements Outcome {

        /** How the detail begins if the response has the header; seconds follow. */
        public static final String RETRY_AFTER = "Retry-After: ";

        private static final String PREFIX = "http ";

        /**
         * The status of failures that were counted under a cause.
         *
         * @param cause as {@link Outcome#cause()} gives it
         * @return empty for anything but an HTTP failure
         */
        public static OptionalInt status(String cause) {
            return cause.startsWith(PREFIX)
                            && cause.chars().skip(PREFIX.length()).allMatch(Character::isDigit)
                    ? OptionalInt.of(Integer.parseInt(cause.substring(PREFIX.length())))
                    : OptionalInt.empty();
        }

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
        public String cause() {
            return PREFIX + status;
        }
    }

    /**
     * A complete response in which a check didn't hold.
     *
     * @param cause such as {@code check body~'alive'}, or the name of the check
     * @param detail the status, or the beginning of the body, or an empty text
     */
    record CheckFailure(@Override String cause, String detail) implements Outcome {

        /**
         * A failed check without a detail.
         *
         * @param cause see {@link #cause()}
         */
        public CheckFailure(String cause) {
            this(cause, "");
        }

        /**
         * Whether failures that were counted under a cause are those of a check without a name.
         *
         * @param cause as {@link Outcome#cause()} gives it
         * @return {@code false} for anything else, including a check with a name of its own
         */
        public static boolean isCause(String cause) {
            return cause.startsWith(Check.CAUSE);
        }
    }

    /**
     * A complete response whose checks held, without a value that a later step takes.
     *
     * @param name the value's
     * @param step the name of the operation
     * @param detail the beginning of the body, or an empty text
     */
    record ExtractFailure(String name, String step, String detail) implements Outcome {
        @Override
        public String cause() {
            return "no " + name + " in " + step;
        }
    }

    /**
     * A complete response that asks for another request, which isn't sent.
     *
     * @param reason one of few texts, such as {@code too many redirects}
     * @param detail what the response said
     */
    record NotFollowed(String reason, String detail) implements Outcome {
        @Override
        public String cause() {
            return reason;
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
        public String cause() {
            return step + ": " + reason;
        }
    }

    /** No connection (with its TLS handshake) within the connect timeout. */
    record ConnectTimeout() implements Outcome {
        @Override
        public String cause() {
            return "connect timeout";
        }

        @Override
        public String detail() {
            return "no connection within the connect timeout";
        }

        @Override
        public boolean censored() {
            return true;
        }
    }

    /** Nothing is listening on the port. */
    record ConnectRefused() implements Outcome {
        @Override
        public String cause() {
            return "connect refused";
        }

        @Override
        public String detail() {
            return "nothing is listening on the port";
        }
    }

    /** No connection of the client's pool became free within the lease timeout. */
    record LeaseTimeout() implements Outcome {
        @Override
        public String cause() {
            return "lease timeout";
        }

        @Override
        public String detail() {
            return "no connection of the client's pool became free within the lease timeout";
        }

        @Override
        public boolean censored() {
            return true;
        }
    }

    /** No complete response within the response timeout, whatever part of it arrived. */
    record ReadTimeout() implements Outcome {
        @Override
        public String cause() {
            return "read timeout";
        }

        @Override
        public String detail() {
            return "no complete response within the response timeout";
        }

        @Override
        public boolean censored() {
            return true;
        }
    }

    /**
     * The connection was reset, or closed before the response was complete.
     *
     * @param stage how much of the response had arrived
     */
    record Reset(Stage stage) implements Outcome {

        /** How much of a response arrived before its connection ended. */
        public enum Stage {
            /** No byte of the response had arrived. */
            BEFORE_RESPONSE("before response"),
            /** The status line or a header was incomplete. */
            IN_HEADER("in header"),
            /** The header was complete, the body was not. */
            IN_BODY("in body");

            private final String text;

            Stage(String text) {
                this.text = text;
            }
        }

        @Override
        public String cause() {
            return "reset " + stage.text;
        }

        @Override
        public String detail() {
            return "the server reset or closed the connection";
        }
    }

    /**
     * A kept connection ended within a round trip of the request, before any byte of a response: it is unknown whether
     * the server had read the request.
     */
    record UnknownIfRead() implements Outcome {
        @Override
        public String cause() {
            return "connection ended, unknown if read";
        }

        @Override
        public String detail() {
            return "the connection ended as the request was sent; it is unknown whether the server"
                    + " read the request";
        }
    }

    /**
     * The body ends with the connection, and TLS ended without close_notify: part of the body may be missing (RFC 9112
     * §9.8).
     */
    record NoCloseNotify() implements Outcome {
        @Override
        public String cause() {
            return "body ended without close_notify";
        }
    }

    /**
     * The TLS handshake failed, or TLS broke later.
     *
     * @param reason the message of TLS; for people, not for counting
     */
    record TlsFailure(String reason) implements Outcome {
        @Override
        public String cause() {
            return "tls failure";
        }

        @Override
        public String detail() {
            return reason;
        }
    }

    /**
     * The response was not HTTP, or exceeded a limit of the client: 64 KiB per header line, 1,000 headers.
     *
     * @param reason what was wrong; for people, not for counting
     */
    record MalformedResponse(String reason) implements Outcome {
        @Override
        public String cause() {
            return "malformed response";
        }

        @Override
        public String detail() {
            return reason;
        }
    }

    /**
     * The server ended the request with one of HTTP/2's error codes.
     *
     * @param frame {@code stream reset} if only this request was ended, or {@code goaway} if all on its connection were
     * @param code the code's name, such as {@code REFUSED_STREAM}; one of few
     */
    record Http2Failure(String frame, String code) implements Outcome {
        @Override
        public String cause() {
            return frame + " " + code;
        }
    }

    /**
     * The server doesn't speak the requested HTTP/2.
     *
     * @param reason what it sent instead; for people, not for counting
     */
    record NoHttp2(String reason) implements Outcome {
        @Override
        public String cause() {
            return "no http/2";
        }

        @Override
        public String detail() {
            return reason;
        }
    }

    /**
     * Requests were pipelined, but the server answered at most the first one of a connection. From then on requests go
     * one after another.
     *
     * @param censored whether the request was cut off at the time limit
     */
    record NoPipelining(boolean censored) implements Outcome {
        @Override
        public String cause() {
            return "no pipelining";
        }

        @Override
        public String detail() {
            return censored
                    ? "the server left requests behind the first one unanswered"
                    : "the server closed connections that carried more than one request";
        }
    }

    /**
     * A message that at least one of its receivers didn't get.
     *
     * @param reason one of few texts, such as {@code receiver closed 1006}
     * @param censored whether it was given up at the time limit
     */
    record MessageLost(String reason, boolean censored) implements Outcome {
        @Override
        public String cause() {
            return "lost: " + reason;
        }
    }

    /**
     * A step with a WebSocket that failed.
     *
     * @param reason one of few texts, such as {@code closed 1008}
     * @param detail what came instead, or an empty text
     * @param censored whether it was given up at the time limit
     */
    record SocketFailure(String reason, String detail, boolean censored) implements Outcome {
        @Override
        public String cause() {
            return reason;
        }
    }

    /**
     * A stream of events whose response began, but which isn't what was asked for.
     *
     * @param reason one of few texts, such as {@code stream ended early}
     * @param detail such as after how many events
     * @param censored whether no event came in time
     */
    record StreamFailure(String reason, String detail, boolean censored) implements Outcome {

        /**
         * A failure whose time is known.
         *
         * @param reason see {@link #reason()}
         * @param detail see {@link #detail()}
         */
        public StreamFailure(String reason, String detail) {
            this(reason, detail, false);
        }

        @Override
        public String cause() {
            return reason;
        }
    }

    /**
     * The client's own machine couldn't send it: name not resolved, no route, no free local port, no file descriptor,
     * or stopped while the request was in flight.
     *
     * @param reason one of few texts, such as {@code unknown host}
     * @param detail the system's message
     */
    record ClientFault(String reason, String detail) implements Outcome {

        private static final String PREFIX = "client: ";

        /** The target's name can't be resolved. */
        public static final String UNKNOWN_HOST = "unknown host";

        /** No network leads to the target. */
        public static final String NO_ROUTE = "no route to host";

        /** The client's machine has no file descriptor left for a connection. */
        public static final String NO_DESCRIPTOR = "too many open files";

        /** The client's machine has no local port left for a connection. */
        public static final String NO_PORT = "no free local port";

        /** Not a limit of the machine: the user asked for it. */
        private static final String STOPPED = "stopped in flight";

        /**
         * The run was stopped while the request was in flight.
         *
         * @return a fault for which {@link #isLimit} is {@code false}
         */
        public static ClientFault stopped() {
            return new ClientFault(STOPPED, "the run was stopped");
        }

        @Override
        public String cause() {
            return PREFIX + reason;
        }

        /**
         * Whether no connection could be made since the client's machine had no descriptor or port left, so that the
         * request wasn't sent.
         */
        boolean isUnsent() {
            return reason.equals(NO_DESCRIPTOR) || reason.equals(NO_PORT);
        }

        /**
         * Whether a cause is a limit of the client's own machine.
         *
         * @param cause as {@link Outcome#cause()} gives it
         * @return {@code false} for anything else, including a stop
         */
        public static boolean isLimit(String cause) {
            return cause.startsWith(PREFIX) && !cause.equals(PREFIX + STOPPED);
        }

        /**
         * Whether a cause is that no way leads to the target. If nothing else happens, the address is wrong rather than
         * the client at a limit.
         *
         * @param cause as {@link Outcome#cause()} gives it
         * @return {@code false} for anything else
         */
        public static boolean isNoWay(String cause) {
            return cause.equals(PREFIX + UNKNOWN_HOST) || cause.equals(PREFIX + NO_ROUTE);
        }
    }
}
