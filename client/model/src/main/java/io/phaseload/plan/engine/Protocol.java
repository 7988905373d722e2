package io.phaseload.plan.engine;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import io.phaseload.options.ValueException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The protocol of requests, and how many users share a connection. */
public sealed interface Protocol {

    /** HTTP/1.1 with one connection per user. */
    Protocol HTTP_1 = new Http1(1);

    /** {@return the number of users that share a connection; 1 if they don't} */
    default int usersPerConnection() {
        return 1;
    }

    /**
     * Messages over WebSocket, or by MQTT: a user is a pair, of one who sends and those who receive.
     *
     * @param subscribers the receivers of each message: 0 to 64; 0 if the sender gets it back
     * @param messageSize the length of a message, in bytes: 64 to 1 MiB
     * @param subprotocols the requested subprotocols, in order of preference
     * @param compressed true to request permessage-deflate
     * @param ping the time between pings of each connection; empty for none
     * @param apart true if receivers are on another agent than their sender
     * @param mqtt the topic of messages by MQTT; empty for others
     */
    record WebSocket(
            int subscribers,
            int messageSize,
            List<String> subprotocols,
            boolean compressed,
            Optional<Duration> ping,
            boolean apart,
            Optional<Mqtt> mqtt)
            implements Protocol {

        // RFC 6455 §4.1: tokens of HTTP.
        private static final Pattern SUBPROTOCOL = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

        /**
         * Checks every part.
         *
         * @throws IllegalArgumentException naming the part, its value and what is allowed
         */
        public WebSocket {
            Limit.SUBSCRIBERS.check(subscribers);
            Limit.MESSAGE_SIZE.check(messageSize);
            subprotocols = List.copyOf(subprotocols);
            for (String subprotocol : subprotocols) {
                if (!SUBPROTOCOL.matcher(subprotocol).matches()) {
                    throw new ValueException(
                            "subprotocol '%s'".formatted(subprotocol), "names such as v2.chat,v1.chat");
                }
            }
            ping.ifPresent(every -> Args.positive("ping", every));
            if (apart && subscribers == 0) {
                throw new ValueException("subscribers 0", "1 or more, to be on another agent");
            }
        }

        /**
         * Messages whose receivers are where their sender is.
         *
         * @throws IllegalArgumentException as the canonical constructor does
         */
        public WebSocket(
                int subscribers,
                int messageSize,
                List<String> subprotocols,
                boolean compressed,
                Optional<Duration> ping) {
            this(subscribers, messageSize, subprotocols, compressed, ping, false, Optional.empty());
        }
    }

    /**
     * HTTP/1.1.
     *
     * @param pipeline the number of users that share a connection and pipeline their requests: 1 to 1,000; more than 1
     *     for {@code events} only
     */
    record Http1(int pipeline) implements Protocol {

        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Http1 {
            Limit.PIPELINE.check(pipeline);
        }

        @Override
        public int usersPerConnection() {
            return pipeline;
        }
    }

    /**
     * HTTP/2; for {@code events} only.
     *
     * @param streams the number of users that share a connection, each with one stream at a time: 1 to 10,000
     * @param windows the bytes that a server may send ahead
     */
    record Http2(int streams, Http2Windows windows) implements Protocol {

        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Http2 {
            Limit.STREAMS.check(streams);
        }

        /**
         * HTTP/2 with {@link Http2Windows#DEFAULT}.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Http2(int streams) {
            this(streams, Http2Windows.DEFAULT);
        }

        @Override
        public int usersPerConnection() {
            return streams;
        }
    }
}
