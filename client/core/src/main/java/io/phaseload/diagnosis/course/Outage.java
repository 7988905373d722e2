package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A time without a success, though requests were due or open in it, between many successes. */
public final class Outage {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhaseInRun(Claim.of("outage"), Outage::judge);

    private static final String SERVER = "the server was down, restarted or stopped answering";
    private static final String FAILED =
            "the server, or a proxy before it, answered, but the service, or something that all [requests] need, had"
                    + " failed";
    private static final String REFUSED =
            "the server, or a proxy before it, answered, but refused all [requests], as for maintenance, without an"
                    + " instance, with an open circuit breaker or above a limit";
    private static final String OPERATION =
            "other operations went on, so what this one alone needs was missing, such as"
                    + " room on a disk, a dependency or a part of the service";
    private static final String NO_ROUTE =
            "a router, or this machine, had no route to it: a link, a host or an entry of a table was gone";
    private static final String GONE = "the server is up, but a route, data or a permission is gone";
    private static final IntPredicate STILL_UP = status -> status > 0 && status < 500;
    private static final double MOST_LATER = 0.2;
    private static final String CREDENTIALS = "the credentials had expired, or were withdrawn";

    private Outage() {}

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        return judge(run, phase, phase, "").or(() -> IntStream.range(
                        0, phase.names().size())
                .mapToObj(i ->
                        judge(run, phase, phase.only(i), " of '" + phase.names().get(i) + "'"))
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact)));
    }

    /** Looks at a part of the phase, such as one operation. */
    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase, PhaseSeries part, String of) {
        List<Silence> silences = Silence.of(part).stream()
                .filter(silence -> of.isEmpty() || !isOfStreams(phase, silence))
                .filter(silence -> !run.clientLimited() || silence.isRefusal() && isToldByServer(List.of(silence)))
                .filter(silence -> silence.fromNanos() > 0 || areRareLater(run, part, silence))
                .toList();
        return silences.stream()
                .max(Comparator.comparingLong(Silence::nanos))
                .filter(longest -> of.isEmpty() || longest.isRefusal())
                .filter(any -> !areStalls(phase, silences))
                .map(longest -> diagnosis(phase, part, silences, longest, of));
    }

    /** Whether all that was open in them succeeded later: then 'standstill' says more. */
    private static boolean areStalls(PhaseSeries phase, List<Silence> silences) {
        return silences.stream()
                        .allMatch(silence -> silence.failures().isEmpty()
                                && silence.hung().stream().noneMatch(SampledRequest::failed))
                && Standstill.of(phase).isPresent();
    }

    /** Whether few such requests fail after one with which the phase begins: otherwise they fail now and then. */
    private static boolean areRareLater(RunSeries run, PhaseSeries part, Silence first) {
        List<Tally> all = run.phases().stream()
                .flatMap(phase -> IntStream.range(0, phase.names().size())
                        .filter(i -> part.names().contains(phase.names().get(i)))
                        .mapToObj(phase.operations()::get))
                .toList();
        long failed = all.stream().mapToLong(Tally::failed).sum() - first.failed(part);
        return failed <= MOST_LATER * (all.stream().mapToLong(Tally::succeeded).sum() + failed);
    }

    /** Whether other requests were answered meanwhile over the same HTTP/2 connections, so that streams are stuck. */
    private static boolean isOfStreams(PhaseSeries phase, Silence silence) {
        Set<Integer> answered = phase.requests()
                .filter(of -> !of.failed() && of.sentNanos() > silence.fromNanos() && of.endNanos() < silence.toNanos())
                .map(of -> of.connection().sharedNumber())
                .filter(number -> number >= 0)
                .collect(Collectors.toSet());
        return silence.isRefusal()
                && silence.failures().stream()
                        .allMatch(of -> of.outcome().cause().equals(Cause.READ_TIMEOUT)
                                && answered.contains(of.connection().sharedNumber()));
    }

    private static Diagnosis diagnosis(
            PhaseSeries phase, PhaseSeries part, List<Silence> silences, Silence longest, String of) {
        double start = phase.startSeconds();
        double nanos = silences.stream().mapToLong(Silence::nanos).sum();
        int more = silences.size() - 1;
        long failed = silences.stream().mapToLong(each -> each.failed(part)).sum();
        return RULE.claim()
                .in(
                        phase,
                        of.isEmpty()
                                        && longest.fromNanos() > 0
                                        && isOfServer(silences)
                                        && !longest.isRefusedByStatus(STILL_UP)
                                ? Confidence.CERTAIN
                                : Confidence.LIKELY,
                        Math.max(
                                phase.share(failed),
                                Math.max(
                                        phase.share(part.all().requests())
                                                * nanos
                                                / phase.wall().toNanos(),
                                        phase.shareOfTime(hungNanos(silences)))),
                        start + longest.fromNanos() / 1e9,
                        start + longest.toNanos() / 1e9,
                        more == 0
                                ? ""
                                : ", and %s for %.1f s in all,"
                                        .formatted(more == 1 ? "once more" : more + " times more", nanos / 1e9),
                        of,
                        failed,
                        longest.causes(),
                        longest.fromNanos() == 0
                                ? "afterwards"
                                : longest.toNanos() < phase.wall().toNanos() ? "before and after" : "before",
                        phase.words().text(why(longest, of.isEmpty())));
    }

    private static String why(Silence longest, boolean ofAll) {
        if (longest.isRefusedByStatus(Statuses::wantsCredentials)) {
            return CREDENTIALS;
        }
        if (longest.isRefusedByStatus(STILL_UP)) {
            return GONE;
        }
        if (longest.failures().stream().anyMatch(of -> of.outcome().cause().equals(Cause.NO_ROUTE))) {
            return NO_ROUTE;
        }
        if (!ofAll) {
            return OPERATION;
        }
        return longest.isRefusedByStatus(status -> status == 503)
                ? REFUSED
                : longest.isRefusedByStatus(status -> status > 0) ? FAILED : SERVER;
    }

    /** The time of the sampled requests that hung, nearly all of which are in the sample. */
    private static double hungNanos(List<Silence> silences) {
        return silences.stream()
                .flatMap(of -> of.hung().stream())
                .mapToDouble(SampledRequest::serviceNanos)
                .sum();
    }

    private static List<Cause> causes(List<Silence> silences) {
        return silences.stream()
                .flatMap(of -> of.failures().stream())
                .map(request -> request.outcome().cause())
                .toList();
    }

    /** Whether most failures are the server's, or a proxy's, own word. */
    private static boolean isToldByServer(List<Silence> silences) {
        List<Cause> failures = causes(silences);
        long own = failures.stream()
                .filter(of -> of.equals(Cause.CONNECT_REFUSED)
                        || of.isReset()
                        || of.status().isPresent())
                .count();
        return 2 * own > failures.size();
    }

    /** Whether requests failed each time, most of them by the server's, or a proxy's, own word, and no refusal. */
    private static boolean isOfServer(List<Silence> silences) {
        List<Cause> failures = causes(silences);
        long windows = failures.stream()
                .filter(of -> of.isStatus(status -> status == 503))
                .count();
        return silences.stream().allMatch(Silence::isRefusal)
                && isToldByServer(silences)
                && 2 * windows < failures.size();
    }
}
