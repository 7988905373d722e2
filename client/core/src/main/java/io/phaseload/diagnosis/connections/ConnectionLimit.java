package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** Connections that are refused or reset while requests on others succeed. */
public final class ConnectionLimit {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                    new Claim(
                            "connection-limit",
                            About.SERVER,
                            "{turnedAway:%d} of {requests:%d} requests found their connection refused"
                                    + " or reset before any response, while others succeeded in the"
                                    + " same seconds: the server, or a proxy before it, takes only so"
                                    + " many connections.",
                            "Raise its limit (maxConnections, worker_connections, open files) or use"
                                    + " fewer users. To make sure, run with half the users: the"
                                    + " failures disappear.",
                            "At least 1 % of the requests, and 3, were refused or reset before the"
                                    + " first byte, and requests succeeded in at least 80 % of the"
                                    + " seconds in which that happened. A server that crashes and"
                                    + " restarts several times a second looks the same."),
                    ConnectionLimit::judge);

    private static final Outcome REFUSED = new Outcome.ConnectRefused();
    private static final Outcome RESET = new Outcome.Reset(Stage.BEFORE_RESPONSE);
    private static final double LEAST_SHARE = 0.01;
    private static final int LEAST = 3;
    private static final double MOST_OF = 0.8;

    private ConnectionLimit() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        long refused = phase.failed(REFUSED);
        long turnedAway = refused + phase.failed(RESET);
        if (turnedAway < LEAST || phase.share(turnedAway) < LEAST_SHARE) {
            return Optional.empty();
        }
        long seconds = phase.seconds().stream().filter(ConnectionLimit::turnsAway).count();
        long withSuccess =
                phase.seconds().stream()
                        .filter(second -> turnsAway(second) && second.succeeded() > 0)
                        .count();
        if (seconds == 0 || withSuccess < MOST_OF * seconds) {
            return Optional.empty();
        }
        return Optional.of(
                RULE.claim()
                        .in(
                                phase,
                                refused > 0 ? Confidence.LIKELY : Confidence.POSSIBLE,
                                phase.share(turnedAway),
                                turnedAway,
                                phase.all().requests()));
    }

    private static boolean turnsAway(Second second) {
        return second.failures().containsKey(REFUSED.cause())
                || second.failures().containsKey(RESET.cause());
    }
}
