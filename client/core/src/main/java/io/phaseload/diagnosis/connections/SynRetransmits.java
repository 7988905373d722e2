package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Outcome;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Handshakes that took whole seconds. A client that gets no answer to its SYN sends it again after
 * one second (RFC 6298 §2.1), then at doubling distances, or, with Linux 6.5 and later, four more
 * times after a second each. A server whose accept queue is full doesn't answer.
 */
public final class SynRetransmits {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhase(
                    new Claim(
                            "accept-queue",
                            About.SERVER,
                            "{slowConnects:%d} of {connects:%d} connections took about 1, 2 or more"
                                    + " whole seconds to make, and {timedOut:%d} timed out. These are the"
                                    + " times at which a client sends its SYN again, so the server"
                                    + " didn't answer the first one: {why}.",
                            "Raise the server's accept queue (acceptCount or backlog, and"
                                    + " net.core.somaxconn) or let connections be made more slowly"
                                    + " (--connect-rate, --ramp). To make sure, see whether"
                                    + " TcpExtListenOverflows rises on the server: nstat -az.",
                            "Of the handshakes that took 0.9 s or longer, at least 80 % ended within"
                                    + " 0.2 s after a whole second (1, 2, 3, 4, 5, 7 or 15), and"
                                    + " there are at least 3 of them. The median handshake took less"
                                    + " than 0.5 s. A network that loses SYNs looks the same."),
                    SynRetransmits::judge);

    private static final long SECOND = 1_000_000_000L;
    private static final long LONG = SECOND * 9 / 10;
    private static final long[] RETRANSMITS = {1, 2, 3, 4, 5, 7, 15};
    private static final int LEAST = 3;
    private static final double MOST_OF = 0.8;

    private SynRetransmits() {}

    private static Optional<Diagnosis> judge(PhaseSeries phase) {
        Histogram tcp = phase.all().histogram(Kind.TCP);
        long connects = tcp.getTotalCount();
        if (connects == 0
                || tcp.getMaxValue() < LONG
                || tcp.getValueAtPercentile(50) > SECOND / 2) {
            return Optional.empty();
        }
        long slow = tcp.getCountBetweenValues(LONG, tcp.getMaxValue());
        long inSteps = 0;
        for (long step : RETRANSMITS) {
            inSteps +=
                    tcp.getCountBetweenValues(
                            step * SECOND - SECOND / 50, step * SECOND + SECOND / 5);
        }
        if (inSteps < LEAST || inSteps < MOST_OF * slow) {
            return Optional.empty();
        }
        long timedOut = phase.failed(new Outcome.ConnectTimeout());
        // Known where the server is on the client's machine.
        long overflows = phase.listenOverflows();
        return Optional.of(
                RULE.claim()
                        .in(
                                phase,
                                overflows > 0 ? Confidence.CERTAIN : Confidence.LIKELY,
                                Math.max(
                                        phase.share(inSteps + timedOut), impactOnTime(phase, slow)),
                                inSteps,
                                connects + timedOut,
                                timedOut,
                                overflows > 0
                                        ? "an accept queue of this machine overflowed "
                                                + overflows
                                                + " times"
                                        : "its accept queue was full, or the network lost it"));
    }

    private static double impactOnTime(PhaseSeries phase, long slow) {
        return phase.shareOfTime((double) slow * SECOND);
    }
}
