package io.phaseload.plan.check;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a {@link Threshold} is about. */
public sealed interface Figure {

    /**
     * A statistic of times, in milliseconds.
     *
     * @param of which times
     * @param statistic which one
     */
    record Time(Times of, Statistic statistic) implements Figure {

        @Override
        public String toString() {
            return of == Times.RESPONSE ? statistic.toString() : of + " " + statistic;
        }
    }

    /** Times that have statistics. */
    enum Times {
        /** Response times; in a threshold, a statistic alone is about these. */
        RESPONSE("response"),
        /** How late requests were sent. */
        SLIP("slip"),
        /** From when a stream was due to its first event. */
        FIRST_EVENT("first-event"),
        /** From when a stream was due to a model's first output. */
        FIRST_OUTPUT("first-output"),
        /** From an event of a stream to the next one. */
        EVENT_GAP("event-gap"),
        /** From when a server sent an event to its receipt. */
        EVENT_DELIVERY("event-delivery");

        private final String text;

        Times(String text) {
            this.text = text;
        }

        /** As in a threshold, such as {@code slip}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** A count. */
    enum Count implements Figure {
        /** Failed requests, as a number or as a percentage of all. */
        FAILURES,
        /** Requests per second of wall time, including failed ones. */
        RPS,
        /** Requests sent. */
        REQUESTS,
        /** How often requests were sent beyond the first time. */
        RESENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A statistic of times. */
    enum Statistic {
        /** The arithmetic mean. */
        MEAN("mean"),
        /** The shortest. */
        MIN("min"),
        /** The median. */
        P50("p50", 50),
        /** 75 % were no longer than this. */
        P75("p75", 75),
        /** 90 % were no longer than this. */
        P90("p90", 90),
        /** 95 % were no longer than this. */
        P95("p95", 95),
        /** 99 % were no longer than this. */
        P99("p99", 99),
        /** 99.9 % were no longer than this. */
        P999("p99.9", 99.9),
        /** 99.99 % were no longer than this. */
        P9999("p99.99", 99.99),
        /** The longest. */
        MAX("max", 100);

        private final String text;
        private final double percent;

        Statistic(String text) {
            this(text, Double.NaN);
        }

        Statistic(String text, double percent) {
            this.text = text;
            this.percent = percent;
        }

        /** {@return the percentile, such as 99; 100 for the longest, NaN for what isn't a percentile} */
        public double percent() {
            return percent;
        }

        /** As in a threshold, such as {@code p99.9}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** All figures that a threshold may be about, for messages. */
    static String names() {
        return Stream.of(Arrays.stream(Statistic.values()), Arrays.stream(Count.values()))
                .flatMap(figures -> figures)
                .map(Object::toString)
                .collect(Collectors.joining(
                        ", ",
                        "",
                        ", slip p99, first-event p99, first-output p99, event-gap p99 or" + " event-delivery p99"));
    }
}
