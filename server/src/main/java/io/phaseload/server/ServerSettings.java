package io.phaseload.server;

import io.phaseload.service.ServiceLimits;
import java.time.Duration;

/**
 * How the target listens, and its limits.
 *
 * @param address the address or host name to listen on
 * @param port the port to listen on, 0 for any free one
 * @param maxThreads the number of requests that are processed at once; without effect with virtual threads
 * @param acceptCount the number of connections that wait in the kernel once {@code maxConnections} are open; the kernel
 *     may limit it further (on Linux, {@code net.core.somaxconn})
 * @param maxConnections the number of connections that are open at once
 * @param virtualThreads true if each request runs on its own virtual thread (Java 21 or newer)
 * @param maxBodyBytes the longest request body
 * @param maxItems the number of items that the store holds
 * @param maxItemBytes the longest item; one longer than {@code maxBodyBytes} is refused anyway
 * @param drainTimeout the time that a stop waits for the requests in flight
 */
public record ServerSettings(
        String address,
        int port,
        int maxThreads,
        int acceptCount,
        int maxConnections,
        boolean virtualThreads,
        int maxBodyBytes,
        int maxItems,
        int maxItemBytes,
        Duration drainTimeout) {

    static final int MAX_PORT = 65_535;
    static final int MAX_THREADS = 10_000;
    static final int MAX_ACCEPT_COUNT = 65_535;
    static final int MAX_CONNECTIONS = 1_000_000;
    static final int MAX_BODY_BYTES = 1 << 30;
    static final int MAX_ITEMS = 10_000_000;
    static final Duration MAX_DRAIN_TIMEOUT = Duration.ofHours(1);

    private static final int FIRST_JAVA_WITH_VIRTUAL_THREADS = 21;

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException naming the parameter, its value and the range, if one is out of range, or if
     *     virtual threads are asked of a Java that has none
     */
    public ServerSettings {
        if (address == null || address.isBlank()) {
            throw new IllegalArgumentException("address " + address + ": expected a host or address");
        }
        checkRange("port", port, 0, MAX_PORT);
        checkRange("maxThreads", maxThreads, 1, MAX_THREADS);
        checkRange("acceptCount", acceptCount, 1, MAX_ACCEPT_COUNT);
        checkRange("maxConnections", maxConnections, 1, MAX_CONNECTIONS);
        checkRange("maxBodyBytes", maxBodyBytes, 1, MAX_BODY_BYTES);
        checkRange("maxItems", maxItems, 1, MAX_ITEMS);
        checkRange("maxItemBytes", maxItemBytes, 1, MAX_BODY_BYTES);
        if (drainTimeout == null || drainTimeout.isNegative() || drainTimeout.compareTo(MAX_DRAIN_TIMEOUT) > 0) {
            throw new IllegalArgumentException("drainTimeout " + drainTimeout + ": expected 0 to " + MAX_DRAIN_TIMEOUT);
        }
        if (virtualThreads && !virtualThreadsAvailable()) {
            throw new IllegalArgumentException("virtualThreads true: expected Java 21 or newer, this is Java "
                    + Runtime.version().feature());
        }
    }

    /**
     * The settings when none are given: port 8080 of the loopback address, 500 threads.
     *
     * @return the default settings
     */
    public static ServerSettings defaults() {
        return builder().build();
    }

    /**
     * Starts from the default settings.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    static boolean virtualThreadsAvailable() {
        return Runtime.version().feature() >= FIRST_JAVA_WITH_VIRTUAL_THREADS;
    }

    private static void checkRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + ": expected " + least + " to " + most);
        }
    }

    /** Builds settings. Not thread-safe. */
    public static final class Builder {

        private String address = "127.0.0.1";
        private int port = 8080;
        private int maxThreads = 500;
        private int acceptCount = 1024;
        private int maxConnections = 16_384;
        private boolean virtualThreads;
        private int maxBodyBytes = ServiceLimits.DEFAULTS.bodyBytes();
        private int maxItems = ServiceLimits.DEFAULTS.items();
        private int maxItemBytes = ServiceLimits.DEFAULTS.itemBytes();
        private Duration drainTimeout = Duration.ofSeconds(10);

        private Builder() {}

        /**
         * Sets the address to listen on.
         *
         * @param value an address or host name
         * @return this
         */
        public Builder address(String value) {
            address = value;
            return this;
        }

        /**
         * Sets the port to listen on.
         *
         * @param value 0 (any free port) to 65535
         * @return this
         */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * Sets how many requests are processed at once.
         *
         * @param value 1 to 10,000
         * @return this
         */
        public Builder maxThreads(int value) {
            maxThreads = value;
            return this;
        }

        /**
         * Sets how many connections wait in the kernel.
         *
         * @param value 1 to 65,535
         * @return this
         */
        public Builder acceptCount(int value) {
            acceptCount = value;
            return this;
        }

        /**
         * Sets how many connections are open at once.
         *
         * @param value 1 to 1,000,000
         * @return this
         */
        public Builder maxConnections(int value) {
            maxConnections = value;
            return this;
        }

        /**
         * Sets whether requests run on virtual threads.
         *
         * @param value true on Java 21 or newer only
         * @return this
         */
        public Builder virtualThreads(boolean value) {
            virtualThreads = value;
            return this;
        }

        /**
         * Sets the longest request body.
         *
         * @param value 1 byte to 1 GiB
         * @return this
         */
        public Builder maxBodyBytes(int value) {
            maxBodyBytes = value;
            return this;
        }

        /**
         * Sets how many items the store holds.
         *
         * @param value 1 to 10,000,000
         * @return this
         */
        public Builder maxItems(int value) {
            maxItems = value;
            return this;
        }

        /**
         * Sets the longest item.
         *
         * @param value 1 byte to 1 GiB
         * @return this
         */
        public Builder maxItemBytes(int value) {
            maxItemBytes = value;
            return this;
        }

        /**
         * Sets how long a stop waits for the requests in flight.
         *
         * @param value 0 to 1 hour
         * @return this
         */
        public Builder drainTimeout(Duration value) {
            drainTimeout = value;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if a value is out of range
         */
        public ServerSettings build() {
            return new ServerSettings(
                    address,
                    port,
                    maxThreads,
                    acceptCount,
                    maxConnections,
                    virtualThreads,
                    maxBodyBytes,
                    maxItems,
                    maxItemBytes,
                    drainTimeout);
        }
    }
}
