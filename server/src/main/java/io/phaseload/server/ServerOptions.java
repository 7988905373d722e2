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

    /** The output of {@code --help}. */
    public static final String HELP =
            """
            Serves the Phaseload target on an embedded Tomcat, until it is stopped (Ctrl-C).

            Listening
              --port N             port, 0 for any free one (8080)
              --address HOST       address or host name (127.0.0.1)
              --accept-count N     connections that wait in the kernel (1024)
              --max-connections N  connections open at once (16384)
            Working
              --max-threads N      requests worked on at once (500)
              --virtual            a virtual thread for each request; Java 21 or newer
            Limits
              --max-body SIZE      longest request body (1m)
              --max-items N        items in the store (10000)
              --max-item SIZE      longest item (16k)
            Stopping
              --drain-timeout T    longest wait for requests in flight (10s)

            Every option can be given as a system property too: -Dport=8081 for --port 8081.
            """;

    @Option(name = "--port", handler = CountHandler.OrZero.class, usage = "a port from 0 to 65535, 0 for any free one")
    private long port = DEFAULTS.port();

    @Option(name = "--address", usage = "an address or host name")
    private String address = DEFAULTS.address();

    @Option(name = "--accept-count", handler = CountHandler.class, usage = "a number of connections")
    private long acceptCount = DEFAULTS.acceptCount();

    @Option(name = "--max-connections", handler = CountHandler.class, usage = "a number of connections")
    private long maxConnections = DEFAULTS.maxConnections();

    @Option(name = "--max-threads", handler = CountHandler.class, usage = "a number of threads")
    private long maxThreads = DEFAULTS.maxThreads();

    @Option(name = "--virtual", usage = "a virtual thread for each request")
    private boolean virtual;

    @Option(name = "--max-body", handler = SizeHandler.class, usage = "a size such as 64k or 1m")
    private long maxBody = DEFAULTS.maxBodyBytes();

    @Option(name = "--max-items", handler = CountHandler.class, usage = "a number of items")
    private long maxItems = DEFAULTS.maxItems();

    @Option(name = "--max-item", handler = SizeHandler.class, usage = "a size such as 64k or 1m")
    private long maxItem = DEFAULTS.maxItemBytes();

    @Option(name = "--drain-timeout", handler = DurationHandler.OrZero.class, usage = "a time such as 250ms or 10s")
    private Duration drainTimeout = DEFAULTS.drainTimeout();

    @Option(name = "--help", aliases = "-h", help = true, usage = "show the options")
    private boolean help;

    /** Creates options with default values. */
    public ServerOptions() {}

    /**
     * Whether help was asked for, and nothing else is to be done.
     *
     * @return true if {@code --help} was given
     */
    public boolean help() {
        return help;
    }

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
