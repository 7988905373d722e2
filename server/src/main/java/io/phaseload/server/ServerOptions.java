package io.phaseload.server;

import io.phaseload.options.CountHandler;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.SizeHandler;
import io.phaseload.options.UsageException;
import java.time.Duration;
import org.kohsuke.args4j.Option;

/** The options of {@link ServerMain}, to be filled in by an option parser. */
public final class ServerOptions {

    private static final ServerSettings DEFAULTS = ServerSettings.defaults();

    /** The beginning of the help. */
    public static final String ABOUT =
            """
            Serves the Phaseload target on an embedded Tomcat, until it is stopped (Ctrl-C).

            Usage: phaseload serve [options]
            """;

    @Option(name = "--port", handler = CountHandler.FromZero.class)
    private long port = DEFAULTS.port();

    @Option(name = "--address")
    private String address = DEFAULTS.address();

    @Option(name = "--accept-count", handler = CountHandler.class)
    private long acceptCount = DEFAULTS.acceptCount();

    @Option(name = "--max-connections", handler = CountHandler.class)
    private long maxConnections = DEFAULTS.maxConnections();

    @Option(name = "--max-threads", handler = CountHandler.class)
    private long maxThreads = DEFAULTS.maxThreads();

    @Option(name = "--virtual")
    private boolean virtual;

    @Option(name = "--max-body", handler = SizeHandler.class)
    private long maxBody = DEFAULTS.maxBodyBytes();

    @Option(name = "--max-items", handler = CountHandler.class)
    private long maxItems = DEFAULTS.maxItems();

    @Option(name = "--max-item", handler = SizeHandler.class)
    private long maxItem = DEFAULTS.maxItemBytes();

    @Option(name = "--drain-timeout", handler = DurationHandler.OrZero.class)
    private Duration drainTimeout = DEFAULTS.drainTimeout();

    /** Creates options with default values. */
    public ServerOptions() {}

    /**
     * Makes settings of the options.
     *
     * @return the settings
     * @throws UsageException if a value is out of range, naming the option, the value and the range
     */
    public ServerSettings toSettings() {
        if (virtual && !ServerSettings.virtualThreadsAvailable()) {
            throw new UsageException("--virtual: needs Java 21 or newer, this is Java "
                    + Runtime.version().feature());
        }
        if (address.isBlank()) {
            throw new UsageException("--address: expected an address or host name");
        }
        Duration longest = ServerSettings.MAX_DRAIN_TIMEOUT;
        if (drainTimeout.compareTo(longest) > 0) {
            throw new UsageException("--drain-timeout " + drainTimeout.toSeconds() + "s: expected at most 1h");
        }
        return ServerSettings.builder()
                .port(upTo(ServerSettings.MAX_PORT, "--port", port))
                .address(address)
                .acceptCount(upTo(ServerSettings.MAX_ACCEPT_COUNT, "--accept-count", acceptCount))
                .maxConnections(upTo(ServerSettings.MAX_CONNECTIONS, "--max-connections", maxConnections))
                .maxThreads(upTo(ServerSettings.MAX_THREADS, "--max-threads", maxThreads))
                .virtualThreads(virtual)
                .maxBodyBytes(upTo(ServerSettings.MAX_BODY_BYTES, "--max-body", maxBody))
                .maxItems(upTo(ServerSettings.MAX_ITEMS, "--max-items", maxItems))
                .maxItemBytes(upTo(ServerSettings.MAX_BODY_BYTES, "--max-item", maxItem))
                .drainTimeout(drainTimeout)
                .build();
    }

    // The lower bounds were checked when the option was read.
    private static int upTo(int most, String option, long value) {
        if (value > most) {
            throw new UsageException(option + " " + value + ": expected at most " + most);
        }
        return (int) value;
    }
}
