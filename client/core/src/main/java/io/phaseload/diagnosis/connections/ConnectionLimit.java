package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.statistics.Ranks;
import io.phaseload.measure.Cause;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Connections that are refused or closed at once as long as others are open. */
public final class ConnectionLimit {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhaseInRun(Claim.of("connection-limit"), ConnectionLimit::judge);

    private static final double LEAST_SHARE = 0.01;
    private static final int LEAST = 3;
    private static final double ALL_ALONG = 0.8;
    private static final double NEW = 0.95;
    private static final double MOST_CONNECTED = 0.95;

    /** Five of ten connections are the last ones by chance once in 252 times. */
    private static final int LEAST_EACH = 5;

    private static final double IN_ORDER = 0.95;

    private ConnectionLimit() {}

    /** The figures of a phase. */
    static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        FailedRequests turnedAway = turnedAway(phase);
        boolean beyond = isBeyondOthers(phase, turnedAway);
        if (!turnedAway.matter(LEAST, LEAST_SHARE)
                || turnedAway.spread() < ALL_ALONG
                || !turnedAway.besideSuccesses()
                || !beyond && !onNewConnections(turnedAway)
                || Restarts.explains(phase)) {
            return Optional.empty();
        }
        // A connection that was made and then closed counts as made, too.
        long kept = phase.all().count(Timing.SET_UP) - turnedAway.count() + phase.failed(Cause.CONNECT_REFUSED);
        boolean without = !run.asksToClose() && kept < MOST_CONNECTED * phase.users();
        Optional<PhaseSeries> fewer = run.withFewer(phase, ConnectionLimit::turnedAway);
        if (!without && !beyond && fewer.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        beyond && phase.isAtOnce() && isByStatus(turnedAway) ? Confidence.POSSIBLE : Confidence.LIKELY,
                        turnedAway.share(),
                        turnedAway.count(),
                        phase.all().requests(),
                        beyond
                                ? "They went over connections that were made after all others"
                                : without
                                        ? phase.words()
                                                .text("Only %d of %d [users] ever had a connection that was kept")
                                                .formatted(Math.max(0, kept), phase.users())
                                        : phase.words()
                                                .text(
                                                        "With %d [users] it was %.2f %% of the [requests], with %d it is %.2f %%")
                                                .formatted(
                                                        fewer.get().users(),
                                                        turnedAway(fewer.get()).share() * 100,
                                                        phase.users(),
                                                        turnedAway.share() * 100)));
    }

    /**
     * Whether connections over which all requests failed were made after those over which some succeeded. A balancer
     * that leads some connections to an instance that fails mixes them.
     */
    private static boolean isBeyondOthers(PhaseSeries phase, FailedRequests turnedAway) {
        Set<List<Integer>> useful = phase.requests()
                .filter(of -> !of.failed())
                .map(ConnectionLimit::connection)
                .collect(Collectors.toSet());
        long[] good = opened(phase.requests().filter(of -> !of.failed()));
        long[] bad = opened(turnedAway.sampled().stream().filter(of -> !useful.contains(connection(of))));
        return good.length >= LEAST_EACH && bad.length >= LEAST_EACH && Ranks.below(good, bad) >= IN_ORDER;
    }

    private static List<Integer> connection(SampledRequest request) {
        return List.of(request.user(), request.connection().number());
    }

    /** When the connections of requests were made. */
    private static long[] opened(Stream<SampledRequest> requests) {
        Map<List<Integer>, Long> opened = requests.filter(of -> of.connection().number() >= 0)
                .collect(Collectors.toMap(
                        ConnectionLimit::connection,
                        of -> of.sentNanos() - of.connection().ageNanos(),
                        Math::min));
        return opened.values().stream().mapToLong(Long::longValue).toArray();
    }

    private static FailedRequests turnedAway(PhaseSeries phase) {
        return FailedRequests.with(
                phase, Cause.CONNECT_REFUSED, Cause.RESET_BEFORE_RESPONSE, Cause.ofStatus(500), Cause.ofStatus(503));
    }

    /** Of users who don't pause, a limit of requests at a time lets the first ones go on, too. */
    private static boolean isByStatus(FailedRequests turnedAway) {
        return turnedAway.sampled().stream().allMatch(of -> of.status() > 0);
    }

    /** A refused connection is new, too. */
    private static boolean onNewConnections(FailedRequests turnedAway) {
        List<SampledRequest> sampled = turnedAway.sampled();
        long onNew = sampled.stream().filter(SampledRequest::isNew).count();
        return !sampled.isEmpty() && onNew >= NEW * sampled.size();
    }
}
