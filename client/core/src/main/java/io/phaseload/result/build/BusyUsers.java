package io.phaseload.result.build;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.Timing;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/** How many users were busy when requests of an open phase were late. */
final class BusyUsers {

    /** Less is a timer's and a busy core's; of that, users' business says nothing. */
    private static final long LATE_NANOS = 10_000_000;

    private static final int FEW = 20;

    /** So many moments of lateness are looked at. */
    private static final int MOMENTS = 500;

    private BusyUsers() {}

    /**
     * The part of the users that were busy when requests were due that were sent late, from 0 to 1; if requests were
     * dropped instead, in the busiest 1 % of moments; without a sample, on average over the phase.
     */
    static double of(PhaseMeasurement phase, Tally all) {
        RequestSample sample = phase.sample();
        if (sample.all().isEmpty()) {
            return average(phase, all);
        }
        long[] from = sorted(sample.all().stream().mapToLong(BusyUsers::began));
        long[] to = sorted(sample.all().stream().mapToLong(SampledRequest::endNanos));
        double users = phase.users() * sample.share();
        List<SampledRequest> late =
                sample.all().stream().filter(of -> of.lateNanos() > LATE_NANOS).toList();
        if (late.size() < FEW) {
            double[] busy = LongStream.of(from)
                    .mapToDouble(at -> busy(at, from, to, users))
                    .toArray();
            Arrays.sort(busy);
            return Math.min(1, busy[busy.length - 1 - busy.length / 100]);
        }
        int step = Math.max(1, late.size() / MOMENTS);
        // A small sample has now more, now fewer busy users than there are: only their mean is right, so only it is
        // cut.
        double mean = IntStream.range(0, late.size() / step)
                .mapToObj(i -> late.get(i * step))
                .mapToDouble(of -> busy((of.dueNanos() + began(of)) / 2, from, to, users))
                .average()
                .orElse(0);
        return Math.min(1, mean);
    }

    /** When its user began to connect, or to send. */
    private static long began(SampledRequest of) {
        return of.sentNanos() - of.connection().setUpNanos();
    }

    private static double busy(long at, long[] from, long[] to, double users) {
        return (before(from, at) - before(to, at)) / users;
    }

    private static int before(long[] sorted, long at) {
        int place = Arrays.binarySearch(sorted, at);
        return place < 0 ? -place - 1 : place;
    }

    private static long[] sorted(LongStream of) {
        return of.sorted().toArray();
    }

    private static double average(PhaseMeasurement phase, Tally all) {
        double time = (double) phase.wall().toNanos() * phase.users();
        double busy = sum(all.histogram(Timing.SERVICE))
                + sum(all.histogram(Timing.LEASE))
                + sum(all.histogram(Timing.SET_UP));
        return time == 0 ? 0 : busy / time;
    }

    private static double sum(Histogram of) {
        return of.getTotalCount() == 0 ? 0 : of.getMean() * of.getTotalCount();
    }
}
