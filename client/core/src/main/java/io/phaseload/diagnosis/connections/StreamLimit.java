package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.UnderWay;
import io.phaseload.measure.SampledRequest;
import io.phaseload.verdict.Finding.About;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** HTTP/2 requests that aren't sent before others over their connection have ended. */
public final class StreamLimit {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhase(
            new Claim(
                    "stream-limit",
                    About.SERVER,
                    "{waiting:%d} of {requests:%d} requests waited to be sent, {waitMs:%.1f} ms in the mean, since as many"
                            + " as the server allows were under way over their HTTP/2 connection: {streams:%d} at a time,"
                            + " for {users:%d} users each.",
                    "Raise the server's limit (SETTINGS_MAX_CONCURRENT_STREAMS), or use more connections with fewer"
                            + " streams (--streams).",
                    "Each request is in the sample, and connections are shared. At least 10 % of the requests, and 20, were"
                            + " sent 1 ms or more after their user was ready. When they were sent, the number of requests that were"
                            + " under way over their connection was the highest of all times for 90 % of them, and it is lower"
                            + " than the number of its users."),
            StreamLimit::judge);

    private static final int LEAST = 20;
    private static final double LEAST_SHARE = 0.1;
    private static final double LEAST_NANOS = 1e6;
    private static final double MOST = 0.9;

    private StreamLimit() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        if (!phase.hasAll()) {
            return Optional.empty();
        }
        Collection<List<SampledRequest>> connections = phase.requests()
                .filter(of -> of.sharedConnection() >= 0)
                .collect(Collectors.groupingBy(SampledRequest::sharedConnection))
                .values();
        long most = 0;
        long waiting = 0;
        long atLimit = 0;
        long users = 0;
        double late = 0;
        double service = 0;
        for (List<SampledRequest> connection : connections) {
            UnderWay underWay = UnderWay.of(connection);
            long limit = connection.stream().mapToLong(underWay::count).max().orElse(0);
            List<SampledRequest> waited = connection.stream()
                    .filter(of -> of.lateNanos() >= LEAST_NANOS)
                    .toList();
            most = Math.max(most, limit + 1);
            waiting += waited.size();
            atLimit += waited.stream().filter(of -> underWay.count(of) == limit).count();
            users = Math.max(
                    users,
                    connection.stream()
                            .mapToInt(SampledRequest::user)
                            .distinct()
                            .count());
            late += waited.stream().mapToLong(SampledRequest::lateNanos).sum();
            service +=
                    connection.stream().mapToLong(SampledRequest::serviceNanos).sum();
        }
        return waiting < LEAST || phase.share(waiting) < LEAST_SHARE || atLimit < MOST * waiting || most >= users
                ? Optional.empty()
                : Optional.of(RULE.claim()
                        .in(
                                phase,
                                Confidence.LIKELY,
                                late / (late + service),
                                waiting,
                                phase.all().requests(),
                                late / waiting / 1e6,
                                most,
                                users));
    }
}
