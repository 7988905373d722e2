package io.phaseload.plan.check;

import io.phaseload.timing.Timing;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The subject of a {@link Threshold}. */
public sealed interface Figure {

    /**
     * A statistic of times, in milliseconds.
     *
     * @param of the times
     * @param statistic the statistic
     */
    record Time(Timing of, Statistic statistic) implements Figure {

        @Override
        public String toString() {
            return of == Timing.RESPONSE ? statistic.toString() : of + " " + statistic;
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

    /** The times that a threshold names; a statistic alone is about response times. */
    static List<Timing> times() {
        return Timing.all().stream()
                .filter(timing -> timing.is(Timing.Use.THRESHOLD) && timing != Timing.RESPONSE)
                .toList();
    }

    /** All figures that a threshold may be about, for messages. */
    static String names() {
        return Stream.of(
                        Arrays.stream(Statistic.values()),
                        Arrays.stream(Count.values()),
                        times().stream().map(timing -> timing + " p99"))
                .flatMap(figures -> figures)
                .map(Object::toString)
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), names -> names.replaceFirst(", ([^,]*)$", " or $1")));
    }
}
