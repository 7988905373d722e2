package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Connections that the server ends while requests are under way over them. */
public final class Resets {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhaseInRun(Claim.of("resets"), Resets::judge);

    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;
    private static final double MOST = 0.9;
    private static final double FEW = 0.1;
    private static final double SAME = 0.8;
    private static final double SAME_AGE = 1.05;
    private static final double ROUND_TRIPS = 3;
    private static final double LEAST_NANOS = 5e6;
    private static final double FIXED_NANOS = 250e6;

    /** When the server resets, and how sure that is. */
    private record ResetMoment(String text, Confidence confidence) {}

    private static final ResetMoment WORKING = new ResetMoment("while it works on [requests]", Confidence.CERTAIN);
    private static final ResetMoment OFTEN_WORKING = new ResetMoment(WORKING.text(), Confidence.LIKELY);
    private static final ResetMoment MADE = new ResetMoment("as soon as they are made", Confidence.POSSIBLE);
    private static final ResetMoment SENT = new ResetMoment("as soon as another [request] comes", Confidence.LIKELY);
    private static final ResetMoment MAYBE_IDLE = new ResetMoment(
            "as soon as another [request] comes: it crashes on it, or closes idle ones just then", Confidence.POSSIBLE);
    private static final ResetMoment IN_USE = new ResetMoment("that are in use", Confidence.POSSIBLE);

    private Resets() {}

    /** Whether a phase's resets have a pattern. */
    static boolean explains(PhaseSeries phase) {
        return judge(phase, true).isPresent();
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        return ConnectionLimit.judge(run, phase).isPresent() || Restarts.explains(phase)
                ? Optional.empty()
                : judge(phase, !run.clientLimited());
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase, boolean timed) {
        FailedRequests resets = FailedRequests.with(phase, Cause.RESET_BEFORE_RESPONSE, Cause.UNKNOWN_IF_READ);
        List<SampledRequest> sampled = resets.sampled();
        if (!resets.matter(LEAST, LEAST_SHARE)
                || resets.count() < MOST * phase.all().failed()
                || !resets.besideSuccesses()
                || sampled.isEmpty()
                || IdleTimeout.isSeen(phase)) {
            return Optional.empty();
        }
        long[] times = sampled.stream()
                .mapToLong(SampledRequest::serviceNanos)
                .sorted()
                .toArray();
        ResetMoment when = atWork(phase, sampled, times).filter(any -> timed).orElseGet(() -> byPlace(phase, sampled));
        // A time that all share is a timeout, of which 'gives-up' says more.
        boolean fixed = phase.facts().stream()
                .map(operation -> operation.failed().spike())
                .anyMatch(spike -> spike.isFixed() && spike.nanos() >= FIXED_NANOS);
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        fixed ? Confidence.POSSIBLE : when.confidence(),
                        resets.share(),
                        resets.count(),
                        phase.all().requests(),
                        times[times.length / 2] / 1e6,
                        phase.words().text(when.text())));
    }

    /** The conclusion from the time between sending and failure: nothing if the request may not have been read. */
    private static Optional<ResetMoment> atWork(PhaseSeries phase, List<SampledRequest> sampled, long[] times) {
        double roundTrip = Stream.of(Timing.TCP, Timing.FIRST_BYTE)
                .filter(timing -> phase.all().count(timing) > 0)
                .mapToDouble(
                        timing -> phase.all().histogram(timing).getValueAtPercentile(timing == Timing.TCP ? 10 : 1))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        double limit = ROUND_TRIPS * roundTrip + LEAST_NANOS;
        boolean nearlyAll = times[(int) (FEW * times.length)] > limit;
        return times[times.length / 2] <= limit
                ? Optional.empty()
                : Optional.of(nearlyAll && !areNew(sampled) ? WORKING : OFTEN_WORKING);
    }

    /** Whether a limit of connections may be the reason. */
    private static boolean areNew(List<SampledRequest> sampled) {
        return sampled.stream().filter(SampledRequest::isNew).count() > (1 - FEW) * sampled.size();
    }

    private static ResetMoment byPlace(PhaseSeries phase, List<SampledRequest> sampled) {
        if (areNew(sampled)) {
            return MADE;
        }
        List<SampledRequest> kept =
                sampled.stream().filter(of -> of.connection().place() > 0).toList();
        if (kept.isEmpty()) {
            return IN_USE;
        }
        int[] places =
                kept.stream().mapToInt(of -> of.connection().place()).sorted().toArray();
        int place = places[places.length / 2];
        if (IntStream.of(places).filter(one -> one == place).count() >= SAME * places.length) {
            return new ResetMoment("after %d [requests] over the same one".formatted(place), Confidence.LIKELY);
        }
        long[] ages = kept.stream()
                .mapToLong(of -> of.connection().ageNanos())
                .sorted()
                .toArray();
        long age = ages[ages.length / 2];
        long near = LongStream.of(ages)
                .filter(one -> one <= age * SAME_AGE && age <= one * SAME_AGE)
                .count();
        return near >= SAME * ages.length
                ? new ResetMoment("%.1f s after they were made".formatted(age / 1e9), Confidence.LIKELY)
                : phase.isAtOnce() ? SENT : MAYBE_IDLE;
    }
}
