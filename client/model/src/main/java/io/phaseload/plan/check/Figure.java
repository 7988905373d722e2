package io.phaseload.plan.check;

import io.phaseload.timing.Timing;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
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

    /**
     * A figure that the target reports, or one of the client's machine: its mean or its greatest value.
     *
     * @param client true for the client's
     * @param name as in results, such as {@code heapMiB}, or without its unit: {@code heap}
     * @param statistic {@link Statistic#MEAN} or {@link Statistic#MAX}
     */
    record Reported(boolean client, String name, Statistic statistic) implements Figure {

        private static final Pattern UNIT = Pattern.compile("(Percent|MiB|Ms|MsPerSecond|MbitPerSecond|PerSecond)$");

        /**
         * The name of the figure in results.
         *
         * @param names all that there are
         * @return empty if there is none with this name
         */
        public Optional<String> in(List<String> names) {
            return names.contains(name)
                    ? Optional.of(name)
                    : names.stream()
                            .filter(of -> UNIT.matcher(of).replaceFirst("").equals(name))
                            .findFirst();
        }

        /**
         * The unit of a figure's values.
         *
         * @param name in results
         * @return {@code %}, {@code MiB}, {@code ms}, {@code /s} or an empty text
         */
        public static String unit(String name) {
            return name.endsWith("Percent")
                    ? "%"
                    : name.endsWith("MiB")
                            ? "MiB"
                            : name.endsWith("Ms") ? "ms" : name.endsWith("PerSecond") ? "/s" : "";
        }

        @Override
        public String toString() {
            return (client ? "client." : "server.") + name + (statistic == Statistic.MEAN ? "" : " " + statistic);
        }
    }

    /**
     * The change of another figure over time.
     *
     * @param of the figure
     * @param per the unit of time
     */
    record Slope(Figure of, Per per) implements Figure {

        /** A unit of time. */
        public enum Per {
            /** Second. */
            S(1),
            /** Minute. */
            MIN(60),
            /** Hour. */
            H(3_600),
            /** Day. */
            D(86_400);

            private final int seconds;

            Per(int seconds) {
                this.seconds = seconds;
            }

            /** {@return its length in seconds} */
            public int seconds() {
                return seconds;
            }

            /** As after a value, such as {@code /h}. */
            @Override
            public String toString() {
                return "/" + name().toLowerCase(Locale.ROOT);
            }
        }

        @Override
        public String toString() {
            return "slope " + of;
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
                        times().stream().map(timing -> timing + " p99"),
                        Stream.of("server.cpu", "client.cpu", "slope p99"))
                .flatMap(figures -> figures)
                .map(Object::toString)
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), names -> names.replaceFirst(", ([^,]*)$", " or $1")));
    }
}
