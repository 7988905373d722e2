package io.phaseload.plan.engine;

import io.phaseload.settings.Setting;

/** The protocol of requests, and how many users share a connection. */
public sealed interface Protocol {

    /** HTTP/1.1 with one connection per user. */
    Protocol HTTP_1 = new Http1(1);

    /** {@return how many users share a connection; 1 if they don't} */
    int usersPerConnection();

    /**
     * HTTP/1.1.
     *
     * @param pipeline how many users share a connection and pipeline their requests: 1 to 1,000;
     *     more than 1 for {@code events} only
     */
    record Http1(int pipeline) implements Protocol {

        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Http1 {
            Setting.PIPELINE.check(pipeline);
        }

        @Override
        public int usersPerConnection() {
            return pipeline;
        }
    }

    /**
     * HTTP/2; for {@code events} only.
     *
     * @param streams how many users share a connection, each with one stream at a time: 1 to 10,000
     * @param windows how much a server may send before it is read
     */
    record Http2(int streams, Http2Windows windows) implements Protocol {

        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Http2 {
            Setting.STREAMS.check(streams);
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
