package io.phaseload.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was judged, in the words of test reports: {@link JUnitXml} writes it.
 *
 * @param name of what was judged
 * @param startedAt when that began
 * @param lasted how long it took
 * @param host where, or {@code null} if there isn't one such
 * @param properties by name, in order
 * @param cases what was judged of it
 */
public record TestSuite(
        String name,
        Instant startedAt,
        Duration lasted,
        String host,
        Map<String, String> properties,
        List<Case> cases) {

    /** The result of a case. */
    public enum Status {
        /** It held. */
        PASSED,
        /** It didn't hold, or couldn't be judged where that is the same. */
        FAILED,
        /** What was to be judged wasn't measured, by a fault. */
        ERROR,
        /** Nobody is to be told that it held or failed. */
        SKIPPED
    }

    /**
     * One thing that was judged.
     *
     * @param className what it belongs to: systems group by it, from point to point
     * @param name the same in every run, so that systems can tell how it did before
     * @param status its result
     * @param kind what kind of thing it is, in a word
     * @param message why it didn't pass; empty if it did
     * @param lasted how long it took; zero where that means nothing
     */
    public record Case(
            String className,
            String name,
            Status status,
            String kind,
            String message,
            Duration lasted) {

        static Case passed(String className, String name) {
            return new Case(className, name, Status.PASSED, "", "", Duration.ZERO);
        }
    }

    /** Keeps the properties' order. */
    public TestSuite {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        cases = List.copyOf(cases);
    }

    long count(Status status) {
        return cases.stream().filter(of -> of.status() == status).count();
    }
}
