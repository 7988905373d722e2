package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Figures;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.measure.Cause;
import io.phaseload.timing.Timing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * Handshakes that took whole seconds. A client that gets no answer to its SYN sends it again after one second (RFC 6298
 * §2.1), then at doubling distances, or, with Linux 6.5 and later, four more times after a second each. A server whose
 * accept queue is full doesn't answer.
 */
public final class SynRetransmits {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhaseInRun(Claim.of("accept-queue"), (run, phase) -> judge(phase, run.clientLimited()));

    private static final long SECOND = 1_000_000_000L;
    private static final long LONG = SECOND * 9 / 10;
    private static final long[] RETRANSMITS = {1, 2, 3, 4, 5, 7, 15};
    private static final int LEAST = 3;
    private static final double MOST_OF = 0.8;

    private SynRetransmits() {}

    /** Whether a phase's slow or failed handshakes are such. */
    public static boolean explains(PhaseSeries phase) {
        return judge(phase, false).isPresent();
    }

    /** A client that was the limit makes slow handshakes, but no queue overflow. */
    private static Optional<Diagnosis> judge(PhaseSeries phase, boolean clientLimited) {
        Histogram tcp = phase.all().histogram(Timing.TCP);
        long connects = tcp.getTotalCount();
        long slow = tcp.getMaxValue() < LONG ? 0 : tcp.getCountBetweenValues(LONG, tcp.getMaxValue());
        long inSteps = inSteps(tcp);
        long timedOut = phase.failed(Cause.CONNECT_TIMEOUT);
        Map<String, Long> overflows = overflows(phase);
        boolean overflowed = overflows.values().stream().anyMatch(times -> times >= LEAST);
        long explained = overflows.values().stream().mapToLong(Long::longValue).sum();
        boolean steps = !clientLimited
                && inSteps >= LEAST
                && inSteps >= MOST_OF * slow
                && tcp.getValueAtPercentile(5) <= SECOND / 2;
        if (!steps && !(overflowed && timedOut >= LEAST)) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        overflowed && explained >= inSteps + timedOut ? Confidence.CERTAIN : Confidence.LIKELY,
                        Math.max(phase.share(inSteps + timedOut), impactOnTime(phase, slow)),
                        inSteps,
                        connects + timedOut,
                        timedOut,
                        overflowed
                                ? overflows.entrySet().stream()
                                        .map(queue -> "an accept queue of %s overflowed %d times"
                                                .formatted(queue.getKey(), queue.getValue()))
                                        .collect(Collectors.joining(", "))
                                : "its accept queue was full, or the network lost it"));
    }

    private static long inSteps(Histogram tcp) {
        long inSteps = 0;
        for (long step : RETRANSMITS) {
            long from = step * SECOND - SECOND / 50;
            inSteps += from > tcp.getMaxValue() ? 0 : tcp.getCountBetweenValues(from, step * SECOND + SECOND / 5);
        }
        return inSteps;
    }

    /**
     * How often accept queues overflowed, by whose they are: of servers that report it, otherwise of the client's
     * machine, in case that the server is there.
     */
    private static Map<String, Long> overflows(PhaseSeries phase) {
        Map<String, Long> overflows = new LinkedHashMap<>();
        phase.servers()
                .forEach(server -> overflows.put(
                        server.inWords(),
                        Math.round(DoubleStream.of(server.values(Figures.LISTEN_OVERFLOWS))
                                .sum())));
        if (overflows.values().stream().allMatch(times -> times == 0)) {
            overflows.clear();
            overflows.put("this machine", phase.clientCount(Figures.LISTEN_OVERFLOWS));
        }
        overflows.values().removeIf(times -> times == 0);
        return overflows;
    }

    private static double impactOnTime(PhaseSeries phase, long slow) {
        return phase.shareOfTime((double) slow * SECOND);
    }
}
