package io.phaseload.diagnosis.connections;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.statistics.Ranks;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.rules.Wording;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** A server that closes each connection after some requests. */
public final class KeepAliveLimit {

    /** The rule. */
    public static final DiagnosisRule RULE = DiagnosisRule.ofPhaseInRun(
                    Claim.of("keep-alive-limit"), KeepAliveLimit::judge)
            .unless(RunSeries::asksToClose);

    private static final double MOST_REQUESTS = 200;

    /** Requests of a connection: that of more costs little, and isn't worth a guess. */
    private static final double FEW = 20;

    /** The mean of connections, of the largest: the last ones are cut off. */
    private static final double ALIKE = 0.8;

    /** So much more alike are numbers than times if numbers are the reason. */
    private static final double MORE_ALIKE = 1.05;

    /** Connections that end with a phase, or by chance, are fewer. */
    private static final int LEAST_CLOSED = 10;

    private static final double MAX_FAILED = 0.01;

    private static final double NEARLY = 0.95;

    /** Of the users' time: less is nothing to win. */
    private static final double LEAST_TIME = 0.0001;

    /**
     * The same, if a connection carries more than a few, was idle or ended with an operation such as a log-out: a
     * server's default isn't worth a word before it costs.
     */
    private static final double LEAST_TIME_OF_MANY = 0.1;

    private static final double LEAST_IDLE_NANOS = 5e8;
    private static final double LONGER = 2.5;

    private KeepAliveLimit() {}

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        long connects = phase.all().count(Timing.SET_UP);
        double requests = (double) phase.all().requests() / Math.max(1, connects);
        long most = 1 + most(phase, of -> of.connection().place());
        // About the same number of requests over each connection.
        boolean alike = most >= 2 && requests >= ALIKE * most;
        long broken = phase.all().requests() - phase.all().responses();
        // Requests that are sent again after crashes come over connections that carried different numbers.
        long resent = alike ? 0 : phase.all().counters().resent();
        if (connects - broken - resent <= Math.max(2L * phase.users(), phase.users() + LEAST_CLOSED)
                || requests > MOST_REQUESTS
                || phase.share(phase.all().failed()) > MAX_FAILED) {
            return Optional.empty();
        }
        double time = phase.shareOfTime(phase.sum(Timing.SET_UP));
        boolean idle = endWhenIdle(phase);
        // A stream of events often ends its connection; pairs open several, whose end is a failure.
        if (time < LEAST_TIME
                || requests > FEW && run.clientLimited()
                || (requests > FEW || idle) && time < LEAST_TIME_OF_MANY
                || phase.words() == Wording.MESSAGES
                || phase.all().count(StreamTimings.FIRST_EVENT) > 0
                || time < LEAST_TIME_OF_MANY && endWithAnOperation(phase)) {
            return Optional.empty();
        }
        // Of a connection, on average.
        double seconds = phase.wall().toNanos() / 1e9 * phase.users() / connects;
        Confidence confidence = idle ? Confidence.POSSIBLE : confidence(phase, alike, most, requests / most, seconds);
        if (confidence == Confidence.POSSIBLE && requests > FEW) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        confidence,
                        // What makes connections slow costs more than making them.
                        SlowConnects.explains(phase) ? time / 2 : time,
                        requests,
                        confidence == Confidence.CERTAIN
                                ? ""
                                : ", or some %.1f s after they were made".formatted(seconds),
                        connects,
                        phase.users(),
                        time * 100));
    }

    /** Whether one operation of several ends each connection, and no other does, as a log-out may. */
    private static boolean endWithAnOperation(PhaseSeries phase) {
        List<SampledRequest> sent = phase.requests()
                .filter(of -> of.connection().number() >= 0)
                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                .toList();
        Map<Integer, Integer> open = new HashMap<>();
        Map<List<Integer>, Integer> ends = new HashMap<>();
        for (SampledRequest of : sent) {
            open.put(of.user(), of.connection().number());
            ends.put(List.of(of.user(), of.connection().number()), of.operation());
        }
        // A user's last connection hasn't ended.
        open.forEach((user, connection) -> ends.remove(List.of(user, connection)));
        Map<Integer, Long> byOperation =
                ends.values().stream().collect(Collectors.groupingBy(of -> of, Collectors.counting()));
        Map<Integer, Long> before = sent.stream()
                .filter(of -> of.connection().number() != open.getOrDefault(of.user(), -1))
                .collect(Collectors.groupingBy(SampledRequest::operation, Collectors.counting()));
        return phase.names().size() > 1
                && byOperation.entrySet().stream()
                        .anyMatch(of -> of.getValue() >= NEARLY * ends.size()
                                && of.getValue() >= NEARLY * before.getOrDefault(of.getKey(), 0L));
    }

    /** Whether connections end in pauses that are far longer than those which they outlive. */
    private static boolean endWhenIdle(PhaseSeries phase) {
        long[] ended = phase.pauses(SampledRequest::isNew);
        long[] outlived = phase.pauses(of -> !of.isNew());
        return ended.length > 0
                && outlived.length > 0
                && ended[ended.length / 2] >= Math.max(LEAST_IDLE_NANOS, LONGER * outlived[outlived.length / 2])
                && Ranks.below(outlived, ended) >= NEARLY;
    }

    private static Confidence confidence(PhaseSeries phase, boolean alike, long most, double number, double seconds) {
        if (phase.isAtOnce() && most == 1) {
            return Confidence.CERTAIN;
        }
        double life = 1e9
                * seconds
                / most(
                        phase,
                        of -> of.connection().place() < 0 ? -1 : of.connection().ageNanos() + of.serviceNanos());
        if (alike && number >= MORE_ALIKE * life) {
            return Confidence.CERTAIN;
        }
        return phase.isAtOnce() ? Confidence.LIKELY : Confidence.POSSIBLE;
    }

    private static long most(PhaseSeries phase, ToLongFunction<SampledRequest> figure) {
        return phase.requests().mapToLong(figure).max().orElse(-1);
    }
}
