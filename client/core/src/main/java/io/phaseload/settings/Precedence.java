package io.phaseload.settings;

import static io.phaseload.settings.Setting.ARRIVALS;
import static io.phaseload.settings.Setting.BEARER_TOKEN;
import static io.phaseload.settings.Setting.CERT;
import static io.phaseload.settings.Setting.CLIENT;
import static io.phaseload.settings.Setting.COMPRESS;
import static io.phaseload.settings.Setting.CONNECT_TO;
import static io.phaseload.settings.Setting.CREDENTIALS;
import static io.phaseload.settings.Setting.DECODE;
import static io.phaseload.settings.Setting.DURATION;
import static io.phaseload.settings.Setting.ENGINE;
import static io.phaseload.settings.Setting.EXPECT_CONTINUE;
import static io.phaseload.settings.Setting.FOLLOW_REDIRECTS;
import static io.phaseload.settings.Setting.HEADER;
import static io.phaseload.settings.Setting.HTTP2;
import static io.phaseload.settings.Setting.ITERATIONS;
import static io.phaseload.settings.Setting.KEEP_COOKIES;
import static io.phaseload.settings.Setting.KEY;
import static io.phaseload.settings.Setting.LABEL;
import static io.phaseload.settings.Setting.LAMBDA_COLD_START;
import static io.phaseload.settings.Setting.LAMBDA_INSTANCES;
import static io.phaseload.settings.Setting.LEASE_TIMEOUT;
import static io.phaseload.settings.Setting.LOOPS;
import static io.phaseload.settings.Setting.MESSAGE_SIZE;
import static io.phaseload.settings.Setting.OVERLOAD;
import static io.phaseload.settings.Setting.PACING;
import static io.phaseload.settings.Setting.PING;
import static io.phaseload.settings.Setting.PIPELINE;
import static io.phaseload.settings.Setting.POOL;
import static io.phaseload.settings.Setting.POOL_CONCURRENCY;
import static io.phaseload.settings.Setting.POOL_KEEP_ALIVE;
import static io.phaseload.settings.Setting.POOL_PER_ROUTE;
import static io.phaseload.settings.Setting.POOL_POLICY;
import static io.phaseload.settings.Setting.POOL_TIME_TO_LIVE;
import static io.phaseload.settings.Setting.POOL_VALIDATE_AFTER;
import static io.phaseload.settings.Setting.PROXY;
import static io.phaseload.settings.Setting.RAMP;
import static io.phaseload.settings.Setting.RATE;
import static io.phaseload.settings.Setting.RESOLVE;
import static io.phaseload.settings.Setting.RETRIES;
import static io.phaseload.settings.Setting.SERVER_METRIC;
import static io.phaseload.settings.Setting.SERVER_METRICS;
import static io.phaseload.settings.Setting.STREAMS;
import static io.phaseload.settings.Setting.SUBPROTOCOLS;
import static io.phaseload.settings.Setting.SUBSCRIBERS;
import static io.phaseload.settings.Setting.SUBSCRIBERS_ON;
import static io.phaseload.settings.Setting.TARGET;
import static io.phaseload.settings.Setting.THINK;
import static io.phaseload.settings.Setting.TRANSPORT;
import static io.phaseload.settings.Setting.UNIX_SOCKET;
import static io.phaseload.settings.Setting.URL;
import static io.phaseload.settings.Setting.WINDOWS;

import java.util.Map;
import java.util.Set;

/** Which settings of a plan's file a command line overrides. */
final class Precedence {

    /** The settings of a file that one of the command line overrides, besides itself. */
    private static final Map<Setting, Set<Setting>> REPLACES = Map.ofEntries(
            Map.entry(URL, Set.of(TARGET, LAMBDA_INSTANCES, LAMBDA_COLD_START, RESOLVE, CONNECT_TO, UNIX_SOCKET)),
            Map.entry(RESOLVE, Set.of(CONNECT_TO, UNIX_SOCKET, PROXY)),
            Map.entry(CONNECT_TO, Set.of(RESOLVE, UNIX_SOCKET, PROXY)),
            Map.entry(UNIX_SOCKET, Set.of(RESOLVE, CONNECT_TO, PROXY)),
            Map.entry(PROXY, Set.of(RESOLVE, CONNECT_TO, UNIX_SOCKET)),
            Map.entry(TARGET, Set.of(URL, LAMBDA_INSTANCES, LAMBDA_COLD_START, RESOLVE, CONNECT_TO, UNIX_SOCKET)),
            Map.entry(CERT, Set.of(KEY)),
            Map.entry(SERVER_METRICS, Set.of(SERVER_METRIC)),
            Map.entry(DURATION, Set.of(ITERATIONS)),
            Map.entry(ITERATIONS, Set.of(DURATION)),
            Map.entry(
                    ENGINE,
                    Set.of(
                            LOOPS,
                            TRANSPORT,
                            PIPELINE,
                            HTTP2,
                            STREAMS,
                            WINDOWS,
                            SUBSCRIBERS,
                            SUBSCRIBERS_ON,
                            MESSAGE_SIZE,
                            SUBPROTOCOLS,
                            COMPRESS,
                            PING)),
            Map.entry(
                    CLIENT,
                    Set.of(
                            POOL,
                            POOL_PER_ROUTE,
                            POOL_POLICY,
                            POOL_CONCURRENCY,
                            POOL_TIME_TO_LIVE,
                            POOL_VALIDATE_AFTER,
                            LEASE_TIMEOUT,
                            RETRIES,
                            FOLLOW_REDIRECTS,
                            KEEP_COOKIES,
                            DECODE,
                            EXPECT_CONTINUE,
                            POOL_KEEP_ALIVE,
                            CREDENTIALS,
                            BEARER_TOKEN,
                            PROXY)),
            Map.entry(RATE, Set.of(THINK, PACING, RAMP)),
            Map.entry(THINK, Set.of(PACING, RATE, ARRIVALS, OVERLOAD)),
            Map.entry(PACING, Set.of(THINK, RATE, ARRIVALS, OVERLOAD)),
            Map.entry(RAMP, Set.of(RATE, ARRIVALS, OVERLOAD)));

    private Precedence() {}

    /** Whether a setting of the command line overrides another one in a file. */
    static boolean replaces(Setting given, Setting other) {
        return given == other && !isAdded(given)
                || REPLACES.getOrDefault(given, Set.of()).contains(other);
    }

    /** Whether a setting has no effect while a flag is off. */
    static boolean isOnlyWith(Setting flag, Setting other) {
        return flag == HTTP2 && (other == STREAMS || other == WINDOWS);
    }

    private static boolean isAdded(Setting setting) {
        return setting == HEADER || setting == LABEL;
    }
}
