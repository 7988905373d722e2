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

    private final Plan plan;
    private final Measurement measured;
    private final Tally all;
    private final Wording words;
    private final List<String> counted;
    private Verdict verdict = Verdict.VALID;

    private Judgement(Plan plan, Measurement measured, Tally all) {
        this.plan = plan;
        this.measured = measured;
        this.all = all;
        this.words = Wording.of(plan);
        this.counted = Phase.measured(
                measured.phases().stream().map(any -> any.phase().name()).toList());
    }

    static Verdict of(Plan plan, Measurement measured, Tally all, Optional<ThresholdResult> breach) {
        return new Judgement(plan, measured, all).verdict(breach);
    }

    private Verdict verdict(Optional<ThresholdResult> breach) {
        // First: users who couldn't send follow from it.
        clientLimits();
        if (all.succeeded() > 0) {
            verdict = HealthRules.judge(
                    verdict,
                    measured.phases().stream()
                            .filter(phase -> phase.startedAt().isPresent())
                            .map(this::health)
                            .toList());
        }
        measured.phases().stream()
                .filter(this::counts)
                .flatMap(phase -> pool(phase).stream())
                .forEach(this::add);
        shares().forEach(this::add);
        resent();
        nothingSucceeded();
        long byHand = measured.changes().stream()
                .filter(event -> event.byHand() && !event.change().kind().endsRun())
                .count();
        if (byHand > 0) {
            add(Rule.STEERED, byHand);
        }
        if (measured.interrupted()) {
            add(
                    Rule.INTERRUPTED,
                    breach.map(of -> "The threshold '" + of.expression() + "' ended the run")
                            .orElse("The run was interrupted"));
        }
        measured.fault().ifPresent(fault -> add(Rule.CLIENT_FAULT, fault.getMessage()));
        return verdict;
    }

    private void add(Rule rule, Object... evidence) {
        add(rule.finding(words, evidence));
    }

    private void add(Finding finding) {
        verdict = verdict.and(finding);
    }

    private List<Finding> shares() {
        List<PhaseMeasurement> phases = measured.phases().stream()
                .filter(this::counts)
                .filter(phase -> HealthRules.isLongEnough(phase.wall()))
                .toList();
        List<Finding> found = phases.stream()
                .flatMap(phase -> share(Optional.of(phase.phase().name()), List.of(phase)).stream())
                .toList();
        return found.isEmpty() && phases.size() > 1
                ? share(Optional.empty(), phases).stream().toList()
                : found;
    }

    private Optional<Finding> share(Optional<String> name, List<PhaseMeasurement> phases) {
        Tally sum = Tallies.sum(
                phases.stream().flatMap(of -> of.operations().stream()).toList());
        if (sum.counters().responses() == 0) {
            // Refused connections have no response times.
            return Optional.empty();
        }
        Histogram watched = sum.histogram(Timing.WATCHED);
        Histogram cleared = sum.histogram(Timing.CLEARED);
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
                                : Optional.of(mean(sum.histogram(Timing.SLIP)).toNanos()
                                        / (watched.getMean() - cleared.getMean()))));
    }

    /** Retries, redirects and streams that were asked for again are what the plan asks for. */
    private void resent() {
        if (plan.engine().client().isPresent()) {
            return;
        }
        List<Operation> operations = plan.scenario().operations();
        long resent = measured.phases().stream()
                .map(PhaseMeasurement::operations)
                .flatMapToLong(tallies ->
                        IntStream.range(0, tallies.size()).mapToLong(of -> resent(operations.get(of), tallies.get(of))))
                .sum();
        if (resent > 0) {
            add(Rule.RESENT, resent);
        }
    }

    /** Attempts to go on with a stream that failed look like requests that were sent again, except that nobody read. */
    private long resent(Operation operation, Tally tally) {
        long resent = tally.counters().resent();
        if (operation.events().filter(EventStream::reconnect).isEmpty()) {
            return resent;
        }
        return plan.target().resendIdle() ? Math.max(0, resent - tally.count(StreamTimings.EVENT_RECONNECT)) : 0;
    }

    /** The requests that failed at the client's own machine, or that it didn't send, by cause. */
    private void clientLimits() {
        Map<Cause, Long> limits = new TreeMap<>();
        measured.phases().forEach(phase -> phase.notSent().forEach((k, n) -> limits.merge(Cause.of(k), n, Long::sum)));
        limits.keySet().removeIf(cause -> !cause.isClientLimit());
        long wanted = all.requests()
                + limits.values().stream().mapToLong(Long::longValue).sum();
        all.failures().forEach((cause, failures) -> limits.merge(cause, failures.count(), Long::sum));
        limits.keySet().removeIf(cause -> !cause.isClientLimit());
        limits.forEach((cause, count) -> add(Rule.CLIENT_LIMIT, count, wanted, cause.key()));
    }

    private Optional<Finding> pool(PhaseMeasurement phase) {
        Tally sum = Tallies.sum(phase.operations());
        return PoolRules.judge(
                words, phase.phase().name(), mean(sum.histogram(Timing.LEASE)), mean(sum.histogram(Timing.RESPONSE)));
    }

    private void nothingSucceeded() {
        if (all.succeeded() > 0) {
            return;
        }
        if (wasEndedByClient() || !isCutShort()) {
            add(all.requests() == 0 ? Rule.NOTHING_SENT : all.responses() == 0 ? Rule.NO_RESPONSE : Rule.NO_SUCCESS);
        } else {
            add(Rule.UNREACHABLE, String.join(", ", all.causes().keySet()));
        }
    }

    private boolean wasEndedByClient() {
        return measured.interrupted() || measured.fault().isPresent();
    }

    private boolean isCutShort() {
        return measured.phases().stream().anyMatch(Judgement::isCutShort);
    }

    /** The phase ended early, because the target wasn't reached. */
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

    /** Whether its figures are what the run is about. */
    private boolean counts(PhaseMeasurement phase) {
        return counted.contains(phase.phase().name());
    }

    private PhaseHealth health(PhaseMeasurement phase) {
        Tally sum = Tallies.sum(phase.operations());
        return new PhaseHealth(
                words,
                phase.phase().name(),
                phase.wall(),
                counts(phase),
                !wasEndedByClient() && !isCutShort(),
                phase.client(),
                phase.client().usersTime(),
                offered(phase, sum),
                tail(sum),
                Duration.ofNanos(sum.histogram(Timing.SERVICE).getValueAtPercentile(50)));
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
}
