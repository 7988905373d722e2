package io.phaseload.audit;

import java.util.List;

/** The results of other tools that can be read. */
public enum ForeignFormat {
    K6_SUMMARY(
            "k6 summary",
            Sending.UNKNOWN,
            true,
            List.of("the executor: whether users or a rate was asked for", "pauses of a script (sleep)")),
    K6_LINES("k6 JSON lines", Sending.UNKNOWN, true, List.of("the executor: whether users or a rate was asked for")),
    JMETER("JMeter JTL", Sending.CLOSED, true, List.of("timers: how long users paused between requests")),
    VEGETA_REPORT(
            "vegeta report",
            Sending.AT_A_RATE,
            true,
            List.of("the rate and the number of workers asked for", "when in the run requests were slow")),
    VEGETA_LINES("vegeta results", Sending.AT_A_RATE, true, List.of("the rate and the number of workers asked for")),
    OHA(
            "oha",
            Sending.UNKNOWN,
            false,
            List.of(
                    "the connections (-c), the rate (-q), and whether --latency-correction was on",
                    "when in the run requests were slow")),
    LOCUST_STATS(
            "Locust statistics",
            Sending.CLOSED,
            true,
            List.of("the number of users", "wait_time: how long users paused", "times below two significant digits")),
    LOCUST_HISTORY("Locust history", Sending.CLOSED, true, List.of("wait_time: how long users paused"));

    /** The event that a request waits for. */
    enum Sending {
        /** The response before it. */
        CLOSED,
        /** Its time. */
        AT_A_RATE,
        /** Either of them. */
        UNKNOWN
    }

    private final String title;
    private final Sending sending;
    private final boolean failuresTimed;
    private final List<String> hidden;

    ForeignFormat(String title, Sending sending, boolean failuresTimed, List<String> hidden) {
        this.title = title;
        this.sending = sending;
        this.failuresTimed = failuresTimed;
        this.hidden = hidden;
    }

    /**
     * Its name for people.
     *
     * @return such as {@code k6 summary}
     */
    public String title() {
        return title;
    }

    Sending sending() {
        return sending;
    }

    /** Whether its response times include those of requests that failed. */
    boolean failuresTimed() {
        return failuresTimed;
    }

    /** Facts that files of this format don't have. */
    List<String> hidden() {
        return hidden;
    }
}
