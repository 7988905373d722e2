package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.measure.SampledRequest;
import io.phaseload.verdict.Finding.About;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Connections that the server ends while requests are under way over them. */
public final class Resets {

    /** The rule. */
    public static final DiagnosisRule RULE = new DiagnosisRule(
            new Claim(
                    "resets",
                    About.SERVER,
                    "{resets:%d} of {requests:%d} requests lost their connection before the"
                            + " first byte of a response, {afterMs:%.1f} ms after they were"
                            + " due in the median: the server resets connections {when}.",
                    "Read the server's log of that time: a worker that crashes, is restarted or"
                            + " killed, or is replaced after some requests. If a proxy is before it,"
                            + " read its log, too.",
                    "At least 3 requests, and 0.1 %, were reset before the first byte, beside"
                            + " others that succeeded, and 'connection-limit', 'restarts' and 'idle-timeout'"
                            + " don't explain it. If fewer than 10 % of the sampled ones went over a"
                            + " connection that had carried another request, it is only possible: a"
                            + " limit of connections may be the reason. 80 % of them after the same number of requests, or"
                            + " at an age of the connection that differs by at most 5 %, are named as"
                            + " such. Otherwise it is certain that the server had read the"
                            + " requests if the median of the failures' times is more than 3 round"
                            + " trips and 5 ms. If all took the same time, 250 ms or more, it is"
                            + " only possible: 'gives-up' says more."),
            Resets::judge);

    private static final int LEAST = 3;
    private static final double LEAST_SHARE = 0.001;
    private static final double MOST = 0.9;
    private static final double KEPT = 0.1;
    private static final double SAME = 0.8;
    private static final double SAME_AGE = 1.05;
    private static final double ROUND_TRIPS = 3;
    private static final double LEAST_MILLIS = 5;
    private static final double FIXED_NANOS = 250e6;

    /** When the server resets, and how sure that is. */
    private record When(String text, Confidence confidence) {}

    private static final When MADE = new When("as soon as they are made", Confidence.POSSIBLE);
    private static final When SENT = new When("as soon as another request comes", Confidence.LIKELY);

    private Resets() {}

    /** Whether a phase's resets have a pattern. */
    static boolean explains(PhaseSeries phase) {
        return judge(phase).isPresent();
    }

    private static List<Diagnosis> judge(RunSeries run) {
        return run.phases().stream()
                .filter(phase -> ConnectionLimit.judge(run, phase).isEmpty())
                .filter(phase -> !Restarts.explains(phase))
                .map(Resets::judge)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        FailedRequests resets =
                FailedRequests.like(phase, new Outcome.Reset(Stage.BEFORE_RESPONSE), new Outcome.UnknownIfRead());
        List<SampledRequest> sampled = resets.sampled();
        List<SampledRequest> kept =
                sampled.stream().filter(request -> request.place() > 0).toList();
        if (!resets.matter(LEAST, LEAST_SHARE)
                || resets.count() < MOST * phase.all().failed()
                || !resets.besideSuccesses()
                || sampled.isEmpty()) {
            return Optional.empty();
        }
        double after = phase.millis(Kind.FAILED, 50);
        When when = kept.size() < KEPT * sampled.size() ? MADE : when(phase, kept, after);
        boolean idle = !phase.isAtOnce() && 2 * phase.failed(new Outcome.UnknownIfRead()) >= resets.count();
        if (idle && (when == MADE || when == SENT)) {
            return Optional.empty();
        }
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
                        after,
                        when.text()));
    }

    private static When when(PhaseSeries phase, List<SampledRequest> kept, double afterMillis) {
        double roundTrip = Math.min(phase.millis(Kind.TCP, 10), phase.millis(Kind.FIRST_BYTE, 1));
        if (afterMillis > ROUND_TRIPS * roundTrip + LEAST_MILLIS) {
            return new When("while it works on requests", Confidence.CERTAIN);
        }
        int[] places = kept.stream().mapToInt(SampledRequest::place).sorted().toArray();
        int place = places[places.length / 2];
        if (IntStream.of(places).filter(one -> one == place).count() >= SAME * places.length) {
            return new When("after %d requests over the same one".formatted(place), Confidence.LIKELY);
        }
        long[] ages = kept.stream().mapToLong(SampledRequest::ageNanos).sorted().toArray();
        long age = ages[ages.length / 2];
        long near = LongStream.of(ages)
                .filter(one -> one <= age * SAME_AGE && age <= one * SAME_AGE)
                .count();
        return near >= SAME * ages.length
                ? new When("%.1f s after they were made".formatted(age / 1e9), Confidence.LIKELY)
                : SENT;
    }
}
