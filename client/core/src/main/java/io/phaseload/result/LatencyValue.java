package io.phaseload.result;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** A value of a {@link Latency}: a time, or the reason why there is none. Immutable. */
public sealed interface LatencyValue {

    /**
     * The time.
     *
     * @return empty if there were too few samples
     */
    Optional<Duration> value();

    /**
     * A time with enough samples.
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
     * @param samples the number of samples; 0 if nothing was measured
     * @param needed the number of samples that the value needs; more than {@code samples}
     */
    record TooFewSamples(long samples, long needed) implements LatencyValue {

        @Override
        public Optional<Duration> value() {
            return Optional.empty();
        }

        /**
         * Says what is missing.
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
