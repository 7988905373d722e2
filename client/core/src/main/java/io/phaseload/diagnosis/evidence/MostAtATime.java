package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.statistics.UnderWay;
import io.phaseload.measure.recording.SampledRequest;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** A limit of requests at a time: refusals come while so many others are under way, and hardly any success does. */
public final class MostAtATime {

    private static final int LEAST = 10;
    private static final int LEAST_SUCCESSES = 30;
    private static final int LEAST_LIMIT = 2;
    private static final double FEW = 0.1;

    private MostAtATime() {}

    /**
     * The limit of some refusals.
     *
     * @param phase all requests of the phase
     * @param refused some of its failures
     * @return the number of successful requests under way, of the refused operations or of all; empty if none is seen,
     *     or if not each request is in the sample
     */
    public static OptionalLong of(PhaseSeries phase, FailedRequests refused) {
        List<SampledRequest> failures = refused.sampled();
        if (!phase.hasAll() || failures.size() < refused.count()) {
            return OptionalLong.empty();
        }
        Set<Integer> operations =
                failures.stream().map(SampledRequest::operation).collect(Collectors.toSet());
        List<SampledRequest> all = phase.requests().filter(of -> !of.failed()).toList();
        List<SampledRequest> own =
                all.stream().filter(of -> operations.contains(of.operation())).toList();
        OptionalLong ofOwn = of(own, own, failures);
        return ofOwn.isPresent() ? ofOwn : of(all, own, failures);
    }

    private static OptionalLong of(List<SampledRequest> all, List<SampledRequest> own, List<SampledRequest> refused) {
        if (refused.size() < LEAST || own.size() < LEAST_SUCCESSES || !isVaried(own)) {
            return OptionalLong.empty();
        }
        UnderWay underWay = UnderWay.of(all);
        long[] counts = refused.stream().mapToLong(underWay::count).sorted().toArray();
        long limit = counts[(int) (FEW * counts.length)];
        long beyond = own.stream().filter(of -> underWay.count(of) >= limit).count();
        return limit >= LEAST_LIMIT && beyond <= FEW * own.size() ? OptionalLong.of(limit) : OptionalLong.empty();
    }

    /** A limit of the rate, whose successes come at even distances, has as many under way if all take the same time. */
    private static boolean isVaried(List<SampledRequest> own) {
        long[] times =
                own.stream().mapToLong(SampledRequest::serviceNanos).sorted().toArray();
        long[] sent = own.stream().mapToLong(SampledRequest::sentNanos).sorted().toArray();
        double lasts = sent[sent.length - 1] - sent[0];
        return times[(int) ((1 - FEW) * times.length)] - times[(int) (FEW * times.length)] >= lasts / times.length;
    }
}
