package io.phaseload.schedule;

import io.phaseload.options.ValueException;
import java.time.Duration;
import java.util.List;

/**
 * Constant rates one after another. Each step is a {@link ConstantArrivals} of its own, from the sum of the lengths
 * before it; a start that would be at or after a step's end belongs to the next.
 *
 * @param steps at least one
 */
public record StepArrivals(List<Step> steps) implements Schedule {

    /**
     * One step.
     *
     * @param rate of its starts
     * @param length the time that it lasts, above 0
     */
    public record Step(Rate rate, Duration length) {

        /**
         * Checks the length.
         *
         * @throws IllegalArgumentException if the length isn't above 0
         */
        public Step {
            Lengths.check(length);
        }
    }

    /**
     * Checks the steps.
     *
     * @throws IllegalArgumentException if there is none
     */
    public StepArrivals {
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new ValueException("steps", "at least one");
        }
    }

    @Override
    public Offsets offsets() {
        return new Offsets() {
            private int step;
            private long index;
            private long begin;

            @Override
            public long nextNanos() {
                while (step < steps.size()) {
                    long offset = steps.get(step).rate().offsetNanos(index++);
                    long length = steps.get(step).length().toNanos();
                    if (offset < length) {
                        return begin + offset;
                    }
                    begin += length;
                    index = 0;
                    step++;
                }
                return END;
            }
        };
    }

    @Override
    public long startsBefore(long nanos, long atMost) {
        long count = 0;
        long left = nanos;
        for (Step step : steps) {
            long length = step.length().toNanos();
            count += step.rate().eventsBefore(Math.min(left, length));
            left = Math.max(0, left - length);
        }
        return Math.min(atMost, count);
    }

    @Override
    public double perSecond(long nanos) {
        long end = 0;
        for (Step step : steps) {
            end += step.length().toNanos();
            if (nanos < end) {
                return step.rate().perSecond();
            }
        }
        return 0;
    }
}
