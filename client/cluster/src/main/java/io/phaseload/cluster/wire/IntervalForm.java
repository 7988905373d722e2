package io.phaseload.cluster.wire;

import io.phaseload.measure.Counters;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Tally;
import io.phaseload.measure.Values;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Metric;
import io.phaseload.timing.Timing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * An interval as it is sent: nothing is rounded, so that intervals of several agents add up to what one client would
 * have measured.
 *
 * @param phase see {@link Interval#phase()}
 * @param startNanos see {@link Interval#start()}
 * @param lengthNanos see {@link Interval#length()}
 * @param operations see {@link Interval#operations()}
 * @param journeys see {@link Interval#journeys()}
 * @param client see {@link Interval#client()}
 * @param server see {@link Interval#server()}
 */
public record IntervalForm(
        String phase,
        long startNanos,
        long lengthNanos,
        List<TallyForm> operations,
        List<TallyForm> journeys,
        Map<String, Double> client,
        Optional<Map<String, Double>> server) {

    private static final int DIGITS = 3;

    /**
     * The tallies of one operation.
     *
     * @param causes failures by cause
     * @param warnings soft checks that didn't hold, by cause
     * @param unchecked negated checks that had nothing to check, by cause
     * @param metrics numbers from bodies, by the text of their metric
     * @param times by the key of their timing: histograms, compressed by HdrHistogram
     * @param slowest see {@link Tally#slowest()}
     * @param failed see {@link Tally#firstFailed()}
     */
    public record TallyForm(
            Counters counters,
            Map<String, Tally.Failures> causes,
            Map<String, Tally.Failures> warnings,
            Map<String, Tally.Failures> unchecked,
            Map<String, Values> metrics,
            Map<String, byte[]> times,
            List<KeptRequest> slowest,
            List<KeptRequest> failed) {

        static TallyForm of(Tally tally) {
            Map<String, Values> metrics = new LinkedHashMap<>();
            tally.metrics().forEach((metric, values) -> metrics.put(metric.toString(), values));
            Map<String, byte[]> times = new LinkedHashMap<>();
            tally.histograms().forEach((timing, nanos) -> times.put(timing.key(), encoded(nanos)));
            return new TallyForm(
                    tally.counters(),
                    tally.causes(),
                    tally.warnings(),
                    tally.unchecked(),
                    metrics,
                    times,
                    tally.slowest(),
                    tally.firstFailed());
        }

        Tally tally() {
            Map<Timing, Histogram> kinds = new LinkedHashMap<>();
            times.forEach((key, bytes) -> kinds.put(Timing.of(key), decoded(bytes)));
            Map<Metric, Values> numbers = new LinkedHashMap<>();
            metrics.forEach((text, values) -> numbers.put(Metric.parse(text), values));
            Tally tally = Tally.of(kinds, causes, counters, numbers);
            tally.addWarnings(warnings);
            tally.addUnchecked(unchecked);
            tally.keep(slowest);
            tally.keep(failed);
            return tally;
        }
    }

    /**
     * An interval for the way.
     *
     * @param interval any
     * @return the same
     */
    public static IntervalForm of(Interval interval) {
        return new IntervalForm(
                interval.phase(),
                interval.start().toNanos(),
                interval.length().toNanos(),
                interval.operations().stream().map(TallyForm::of).toList(),
                interval.journeys().stream().map(TallyForm::of).toList(),
                interval.client().values(),
                interval.server().map(HostFigures::values));
    }

    /**
     * The interval that was sent.
     *
     * @param scenario the plan's
     * @return the same
     * @throws IllegalArgumentException if something in it can't be
     */
    public Interval interval(Scenario scenario) {
        if (operations.size() != scenario.operations().size()
                || journeys.size() != scenario.timed().size()
                || lengthNanos < 0) {
            throw new IllegalArgumentException("an interval of another plan");
        }
        return new Interval(
                phase,
                Duration.ofNanos(startNanos),
                Duration.ofNanos(lengthNanos),
                operations.stream().map(TallyForm::tally).toList(),
                journeys.stream().map(TallyForm::tally).toList(),
                new HostFigures(client),
                server.map(HostFigures::new));
    }

    private static byte[] encoded(Histogram nanos) {
        ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
        int length = nanos.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }

    private static Histogram decoded(byte[] bytes) {
        try {
            Histogram nanos = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
            if (nanos.getNumberOfSignificantValueDigits() != DIGITS) {
                throw new IllegalArgumentException("a histogram of another precision");
            }
            return nanos;
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("a histogram that can't be read", e);
        }
    }
}
