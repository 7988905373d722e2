package io.phaseload.timing;

import static io.phaseload.timing.Timing.Use.DISTRIBUTION;
import static io.phaseload.timing.Timing.Use.OPTIONAL;
import static io.phaseload.timing.Timing.Use.THRESHOLD;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A time that is measured. Its histogram in each tally, its tag in {@code latency.hlog} and between agents, and its
 * place in {@code result.json} follow from it. The times of every request are here. A protocol adds its own as a
 * {@link TimingProvider}.
 */
public final class Timing {

    /** The uses of a time beyond its figures. */
    public enum Use {
        /** Reports show its distribution. */
        DISTRIBUTION,
        /** A threshold may limit it, and reports show it over time. */
        THRESHOLD,
        /** A request without it has nothing in its place, so that its figures are left out if there are none. */
        OPTIONAL,
        /** Only the number of its samples is a figure. */
        COUNT,
        /** Its samples belong to the total of its section. */
        TOTAL
    }

    /** End − intended, of all requests. */
    public static final Timing RESPONSE = Section.REQUESTS.timing("response", "response", DISTRIBUTION, THRESHOLD);
    /** End − intended, of those that failed: a part of {@link #RESPONSE}. */
    public static final Timing FAILED = Section.REQUESTS.timing("failed", "");
    /** End − sent, of all requests. */
    public static final Timing SERVICE = Section.REQUESTS.timing("service", "service", DISTRIBUTION);
    /** Sent − intended, without the wait for a connection, of all requests. */
    public static final Timing SLIP = Section.REQUESTS.timing("slip", "slip", THRESHOLD);
    /** The wait for a connection that requests share, of all requests of a client that shares some. */
    public static final Timing LEASE = Section.REQUESTS.timing("lease", "lease", DISTRIBUTION, OPTIONAL);
    /** First byte − sent, of requests that got one. */
    public static final Timing FIRST_BYTE = Section.REQUESTS.timing("first-byte", "timeToFirstByte");
    /** End − first byte, of complete responses. */
    public static final Timing TRANSFER = Section.REQUESTS.timing("transfer", "transfer");
    /** Making a connection, of successful attempts; the next three are its parts. */
    public static final Timing SET_UP = Section.REQUESTS.timing("connect", "connectionSetUp");
    /** Resolving the host. */
    public static final Timing DNS = Section.REQUESTS.timing("connect-dns", "dnsLookup");
    /** The TCP handshake. */
    public static final Timing TCP = Section.REQUESTS.timing("connect-tcp", "tcpConnect");
    /** The TLS handshake. */
    public static final Timing TLS = Section.REQUESTS.timing("connect-tls", "tlsHandshake");
    /** End − intended, of requests that client stalls may have slowed down. */
    public static final Timing STALLED = Section.REQUESTS.timing("stalled", "");
    /** End − intended, of requests for which the client's own part was measured. */
    public static final Timing WATCHED = Section.REQUESTS.timing("watched", "");
    /** The same requests without the client's own part. */
    public static final Timing CLEARED = Section.REQUESTS.timing("cleared", "");

    /** The timings of every request; {@link Registered} numbers them. */
    private static final List<Timing> BASE = List.of(
            RESPONSE,
            FAILED,
            SERVICE,
            SLIP,
            LEASE,
            FIRST_BYTE,
            TRANSFER,
            SET_UP,
            DNS,
            TCP,
            TLS,
            STALLED,
            WATCHED,
            CLEARED);

    private final Section section;
    private final String key;
    private final String json;
    private final String title;
    private final Set<Use> uses;
    private int index = -1;

    Timing(Section section, String key, String json, String title, Set<Use> uses) {
        this.section = section;
        this.key = key;
        this.json = json;
        this.title = title;
        this.uses = uses;
    }

    /** All timings, numbered when a tally first needs them. */
    private static final class Registered {

        static final List<Timing> ALL = load();
        static final Map<String, Timing> BY_KEY =
                ALL.stream().collect(Collectors.toUnmodifiableMap(Timing::key, Function.identity()));

        private static List<Timing> load() {
            List<Timing> all = new ArrayList<>(BASE);
            ServiceLoader.load(TimingProvider.class, Timing.class.getClassLoader())
                    .forEach(provider -> all.addAll(provider.timings()));
            for (int i = 0; i < all.size(); i++) {
                all.get(i).index = i;
            }
            return List.copyOf(all);
        }
    }

    /**
     * All timings.
     *
     * @return those of every request, then those of each protocol
     */
    public static List<Timing> all() {
        return Registered.ALL;
    }

    /**
     * Finds a timing by its name in files.
     *
     * @param key such as {@code first-byte}
     * @return the timing
     * @throws IllegalArgumentException if there is none
     */
    public static Timing of(String key) {
        Timing timing = Registered.BY_KEY.get(key);
        if (timing == null) {
            throw new IllegalArgumentException("histogram of " + key);
        }
        return timing;
    }

    /**
     * Its number among {@link #all()}, so that a tally finds its histogram in an array.
     *
     * @return from 0; −1 if no provider lists it
     */
    public int index() {
        return index;
    }

    /** {@return its name in files, in lower-case letters and dashes} */
    public String key() {
        return key;
    }

    /** {@return the part of {@code result.json} that it is in} */
    public Section section() {
        return section;
    }

    /** {@return its key in that part; empty if it isn't there} */
    public String json() {
        return json;
    }

    /**
     * Its title in reports.
     *
     * @param noun the name of one sample
     * @return such as {@code first token}
     */
    public String title(String noun) {
        return title.formatted(noun);
    }

    /**
     * Whether it is used for something.
     *
     * @param use the use
     * @return {@code true} if so
     */
    public boolean is(Use use) {
        return uses.contains(use);
    }

    /** {@return its name in files} */
    @Override
    public String toString() {
        return key;
    }
}
