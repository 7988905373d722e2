package io.phaseload.result.build;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.result.ThresholdResult;
import io.phaseload.stats.ClientShare;
import io.phaseload.stats.QuantileRanks;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import io.phaseload.user.UnsentReason;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.HealthRules;
import io.phaseload.verdict.rules.OfferedLoad;
import io.phaseload.verdict.rules.PhaseHealth;
import io.phaseload.verdict.rules.PoolRules;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.ShareRules;
import io.phaseload.verdict.rules.Tail;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Comes to the verdict on a measurement. */
final class Judgement {

    private Judgement() {}

    static Verdict of(Plan plan, Measurement measured, Tally all, Optional<ThresholdResult> breach) {
        Wording words = Wording.of(plan);
        Verdict verdict = Verdict.VALID;
        // First: users who couldn't send follow from it.
        Map<Cause, Long> unsent = unsent(measured);
        long wanted = all.requests()
                + unsent.values().stream().mapToLong(Long::longValue).sum();
        for (Map.Entry<Cause, Long> limit : limits(all, unsent).entrySet()) {
            verdict = verdict.and(Rule.CLIENT_LIMIT.finding(
                    words, limit.getValue(), wanted, limit.getKey().key()));
        }
        if (all.succeeded() > 0) {
            verdict = HealthRules.judge(
                    verdict,
                    measured.phases().stream()
                            .filter(phase -> phase.startedAt().isPresent())
                            .map(phase -> health(words, phase, measured))
                            .toList());
        }
        for (PhaseMeasurement phase : measured.phases()) {
            verdict = counts(phase, measured) ? pool(words, phase, verdict) : verdict;
        }
        verdict = shares(words, measured, verdict);
        verdict = resent(plan, measured, verdict);
        verdict = nothingSucceeded(words, measured, all, verdict);
        long byHand = measured.changes().stream()
                .filter(event -> event.byHand() && !event.change().kind().endsRun())
                .count();
        if (byHand > 0) {
            verdict = verdict.and(Rule.STEERED.finding(words, byHand));
        }
        if (measured.interrupted()) {
            verdict = verdict.and(Rule.INTERRUPTED.finding(
                    words,
                    breach.map(of -> "The threshold '" + of.expression() + "' ended the run")
                            .orElse("The run was interrupted")));
        }
        if (measured.fault().isPresent()) {
            verdict = verdict.and(
                    Rule.CLIENT_FAULT.finding(words, measured.fault().get().getMessage()));
        }
        return verdict;
    }

    private static Verdict shares(Wording words, Measurement measured, Verdict verdict) {
        List<PhaseMeasurement> phases = measured.phases().stream()
                .filter(phase -> counts(phase, measured))
                .filter(phase -> HealthRules.isLongEnough(phase.wall()))
                .toList();
        List<Finding> found = phases.stream()
                .flatMap(phase -> share(words, Optional.of(phase.phase().name()), List.of(phase)).stream())
                .toList();
        if (found.isEmpty() && phases.size() > 1) {
            found = share(words, Optional.empty(), phases).stream().toList();
        }
        Verdict judged = verdict;
        for (Finding finding : found) {
            judged = judged.and(finding);
        }
        return judged;
    }

    private static Optional<Finding> share(Wording words, Optional<String> name, List<PhaseMeasurement> phases) {
        Tally all = Tallies.sum(
                phases.stream().flatMap(of -> of.operations().stream()).toList());
        if (all.counters().responses() == 0) {
            // Refused connections have no response times.
            return Optional.empty();
        }
        Histogram watched = all.histogram(Timing.WATCHED);
        Histogram cleared = all.histogram(Timing.CLEARED);
        boolean open = phases.stream().anyMatch(of -> of.phase().load() instanceof Load.Open);
        return ClientShare.of(watched, cleared)
                .flatMap(share -> ShareRules.judge(
                        words,
                        name,
                        share,
                        ClientShare.ownNanos(watched, cleared) / 1e6,
                        // An open phase's slip is the target's, too.
                        open
                                ? Optional.empty()
                                : Optional.of(mean(all.histogram(Timing.SLIP)).toNanos()
                                        / (watched.getMean() - cleared.getMean()))));
    }

    /** Retries, redirects and streams that were asked for again are what the plan asks for. */
    private static Verdict resent(Plan plan, Measurement measured, Verdict verdict) {
        if (plan.engine().client().isPresent()) {
            return verdict;
        }
        List<Operation> operations = plan.scenario().operations();
        long resent = measured.phases().stream()
                .map(PhaseMeasurement::operations)
                .flatMapToLong(tallies -> IntStream.range(0, tallies.size())
                        .mapToLong(of -> resent(plan, operations.get(of), tallies.get(of))))
                .sum();
        return resent > 0 ? verdict.and(Rule.RESENT.finding(Wording.of(plan), resent)) : verdict;
    }

    /** Attempts to go on with a stream that failed look like requests that were sent again, except that nobody read. */
    private static long resent(Plan plan, Operation operation, Tally tally) {
        long resent = tally.counters().resent();
        if (operation.events().filter(EventStream::reconnect).isEmpty()) {
            return resent;
        }
        return plan.target().resendIdle() ? Math.max(0, resent - tally.count(StreamTimings.EVENT_RECONNECT)) : 0;
    }

    /** The requests that failed at the client's own machine, or that it didn't send, by cause. */
    private static Map<Cause, Long> limits(Tally all, Map<Cause, Long> unsent) {
        Map<Cause, Long> limits = new TreeMap<>(unsent);
        all.failures().forEach((cause, failures) -> limits.merge(cause, failures.count(), Long::sum));
        limits.keySet().removeIf(cause -> !cause.isClientLimit());
        return limits;
    }

    private static Map<Cause, Long> unsent(Measurement measured) {
        Map<Cause, Long> unsent = new TreeMap<>();
        measured.phases().forEach(phase -> phase.notSent().forEach((k, n) -> unsent.merge(Cause.of(k), n, Long::sum)));
        unsent.keySet().removeIf(cause -> !cause.isClientLimit());
        return unsent;
    }

    private static Verdict pool(Wording words, PhaseMeasurement phase, Verdict verdict) {
        Tally all = Tallies.sum(phase.operations());
        return PoolRules.judge(
                        words,
                        phase.phase().name(),
                        mean(all.histogram(Timing.LEASE)),
                        mean(all.histogram(Timing.RESPONSE)))
                .map(verdict::and)
                .orElse(verdict);
    }

    private static Verdict nothingSucceeded(Wording words, Measurement measured, Tally all, Verdict verdict) {
        if (all.succeeded() > 0) {
            return verdict;
        }
        if (wasGivenUp(measured)) {
            return verdict.and(Rule.UNREACHABLE.finding(
                    words, String.join(", ", all.causes().keySet())));
        }
        Rule rule = all.requests() == 0 ? Rule.NOTHING_SENT : all.responses() == 0 ? Rule.NO_RESPONSE : Rule.NO_SUCCESS;
        return verdict.and(rule.finding(words));
    }

    /** The run ended early, though nobody stopped it. */
    private static boolean wasGivenUp(Measurement measured) {
        return !measured.interrupted()
                && measured.fault().isEmpty()
                && measured.phases().stream().anyMatch(Judgement::isCutShort);
    }

    private static boolean isCutShort(PhaseMeasurement phase) {
        boolean early = phase.phase().length() instanceof PhaseLength.Lasting lasting
                && phase.wall().compareTo(lasting.duration()) < 0
                && wasNotReached(Tallies.sum(phase.operations()))
                && !phase.startedAt().isEmpty();
        return phase.notSent().containsKey(UnsentReason.UNREACHABLE.key()) || early;
    }

    /** A pool's connections may be those of an earlier phase. */
    private static boolean wasNotReached(Tally all) {
        return all.count(Timing.SET_UP) == 0 && all.responses() == 0;
    }

    private static boolean isWhole(Measurement measured) {
        return !measured.interrupted() && measured.fault().isEmpty() && !wasGivenUp(measured);
    }

    /** Whether its figures are what the run is about. */
    private static boolean counts(PhaseMeasurement phase, Measurement of) {
        return Phase.measured(
                        of.phases().stream().map(any -> any.phase().name()).toList())
                .contains(phase.phase().name());
    }

    private static PhaseHealth health(Wording words, PhaseMeasurement phase, Measurement of) {
        Tally all = Tallies.sum(phase.operations());
        return new PhaseHealth(
                words,
                phase.phase().name(),
                phase.wall(),
                counts(phase, of),
                isWhole(of),
                phase.client(),
                phase.client().usersTime(),
                offered(phase, all),
                tail(all),
                Duration.ofNanos(all.histogram(Timing.SERVICE).getValueAtPercentile(50)));
    }

    private static Optional<OfferedLoad> offered(PhaseMeasurement phase, Tally all) {
        if (!(phase.phase().load() instanceof Load.Open)) {
            return Optional.empty();
        }
        Histogram late = late(phase, all);
        return Optional.of(new OfferedLoad(
                phase.asked(),
                UnsentReason.noUserFree(phase.notSent()),
                phase.users(),
                BusyUsers.of(phase, all),
                mean(late),
                Duration.ofNanos(late.getValueAtPercentile(99)),
                mean(all.histogram(Timing.RESPONSE))));
    }

    /**
     * How late requests were sent, without the time to connect, which the target takes part in, where that is known.
     */
    static Histogram late(PhaseMeasurement phase, Tally all) {
        List<SampledRequest> sample = phase.sample().all();
        if (sample.isEmpty() || all.count(Timing.LEASE) > 0) {
            return all.histogram(Timing.SLIP);
        }
        Histogram late = new Histogram(3);
        sample.forEach(request -> late.recordValue(request.lateNanos()));
        return late;
    }

    /** The slowest requests, above the highest percentile with enough samples; see {@link QuantileRanks}. */
    static Tail tail(Tally all) {
        Histogram response = all.histogram(Timing.RESPONSE);
        long samples = response.getTotalCount();
        int percentile = List.of(99, 95, 90).stream()
                .filter(p -> samples >= QuantileRanks.leastSamples(p / 100.0))
                .findFirst()
                .orElse(50);
        if (samples == 0) {
            return new Tail(percentile, 0, 0);
        }
        long limit = response.nextNonEquivalentValue(response.getValueAtPercentile(percentile));
        return new Tail(percentile, from(limit, response), from(limit, all.histogram(Timing.STALLED)));
    }

    private static long from(long limit, Histogram of) {
        return of.getTotalCount() == 0 || limit > of.getMaxValue()
                ? 0
                : of.getCountBetweenValues(limit, of.getMaxValue());
    }

    private static Duration mean(Histogram of) {
        return of.getTotalCount() == 0 ? Duration.ZERO : Duration.ofNanos((long) of.getMean());
    }

    private static Duration sum(Histogram of) {
        return of.getTotalCount() == 0 ? Duration.ZERO : Duration.ofNanos((long) (of.getMean() * of.getTotalCount()));
    }
}
