package io.phaseload.result;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** One value of a {@link Latency}: a time, or why there is none. Immutable. */
public sealed interface LatencyValue {

    /**
     * The time.
     *
     * @return empty if the samples were too few
     */
    Optional<Duration> value();

    /**
     * A time that the samples support.
     *
     * @param time 0 to 1 h, off by at most 0.1 %
     */
    record Measured(Duration time) implements LatencyValue {

        @Override
        public Optional<Duration> value() {
            return Optional.of(time);
        }

        /** Such as {@code 67.078 ms}. */
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.3f ms", time.toNanos() / 1e6);
        }
    }

    /**
     * No time: there are too few samples.
     *
     * @param samples how many there are; 0 if nothing was measured
     * @param needed how many the value takes; more than {@code samples}
     */
    record TooFewSamples(long samples, long needed) implements LatencyValue {

        @Override
        public Optional<Duration> value() {
            return Optional.empty();
        }

        /**
         * What is missing.
         *
         * @return such as {@code 12 samples, 563 needed}
         */
        public String shortfall() {
            return samples + (samples == 1 ? " sample, " : " samples, ") + needed + " needed";
        }

        /** Such as {@code n too small: 12 samples, 563 needed}. */
        @Override
        public String toString() {
            return "n too small: " + shortfall();
        }
    }
}
