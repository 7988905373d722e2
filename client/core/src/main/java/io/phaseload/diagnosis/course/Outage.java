package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.verdict.Finding.About;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A time without a success, though requests were due or open in it, between many successes. */
public final class Outage {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
                    new Claim(
                            "outage",
                            About.SERVER,
                            "from {fromSeconds:%.1f} to {toSeconds:%.1f} s into the run{others} no request"
                                    + " succeeded, {failed:%d} failed, and {around} they"
                                    + " did succeed: the server was down, restarted or stopped"
                                    + " answering.",
                            "Read the server's log and its garbage collector's log of that time.",
                            "For 0.9 s or more, and 3 times as long as 99 % of the times between"
                                    + " successes (90 % of fewer than 200), nothing succeeded:"
                                    + " either at least 5 requests failed, and so many in a row"
                                    + " have a chance of less than 1 in 10,000, if requests fail"
                                    + " as often as in the rest of the phase; or at least 2"
                                    + " users' requests were open for 80 % of it, took at least 3 times"
                                    + " as long as three of four of their operation, and began so close to each"
                                    + " other that independent ones do so with a chance of less than 1 in 1,000,"
                                    + " while such slow requests take at most half of the users' time, their pauses included,"
                                    + " and half of the requests that hang as long do so then."
                                    + " It is certain if most of the failures in such times were refused or lost"
                                    + " connections or statuses of 500 to 599, and likely otherwise: a network may"
                                    + " have been down. Answers with a status below 500 don't count, nor do"
                                    + " requests that a stall of the client affected."),
                    Outage::judge)
            .unlessClientLimited();

    private Outage() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        List<Silence> silences = Silence.of(phase);
        return silences.stream()
                .max(Comparator.comparingLong(Silence::nanos))
                .map(longest -> diagnosis(phase, silences, longest));
    }

    private static Diagnosis diagnosis(PhaseSeries phase, List<Silence> silences, Silence longest) {
        double start = phase.startSeconds();
        double nanos = silences.stream().mapToLong(Silence::nanos).sum();
        int more = silences.size() - 1;
        return RULE.claim()
                .in(
                        phase,
                        isOfServer(silences) ? Confidence.CERTAIN : Confidence.LIKELY,
                        nanos / phase.wall().toNanos(),
                        start + longest.fromNanos() / 1e9,
                        start + longest.toNanos() / 1e9,
                        more == 0
                                ? ""
                                : ", and %s for %.1f s in all,"
                                        .formatted(more == 1 ? "once more" : more + " times more", nanos / 1e9),
                        silences.stream().mapToLong(of -> of.failed(phase)).sum(),
                        longest.toNanos() < phase.wall().toNanos() ? "before and after" : "before");
    }

    /** Whether most failures are the server's, or a proxy's, own word. */
    private static boolean isOfServer(List<Silence> silences) {
        List<Cause> failures = silences.stream()
                .flatMap(of -> of.failures().stream())
                .map(request -> request.outcome().cause())
                .toList();
        long own = failures.stream()
                .filter(of -> of.equals(Cause.CONNECT_REFUSED)
                        || of.isReset()
                        || of.status().isPresent())
                .count();
        return 2 * own > failures.size();
    }
}
