package io.phaseload.capacity;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The run of a step, and the seconds of the steps that it repeats: from measurements to an outcome. An objective that
 * broke is the client's doing if it holds without the time in the client, or without the failures at the client.
 *
 * @param step the step
 * @param result of its run
 * @param intervals the seconds of all runs at this load, in order
 */
public record Look(NextStep step, Result result, List<Interval> intervals) {

    /** Above this, waiting for a CPU shows in the figures: the limit of the verdict. */
    private static final double MOST_CPU_PERCENT = 80;

    /** As in the verdict. */
    private static final double MOST_NOT_SENT = 0.01;

    private static final double EVEN = 0.5;

    /**
     * Decides.
     *
     * @param number of the step
     * @param objectives at least one
     * @param folder the run's, seen from that of the search
     * @return the step with its outcome
     */
    public CapacityStep judged(int number, List<Objective> objectives, String folder) {
        List<String> operations = result.phases().get(0).operations().stream()
                .map(PhaseResult.OperationResult::name)
                .toList();
        StepJudge judged = StepJudge.of(objectives.stream()
                .map(of -> StepSeries.of(of, intervals, operations))
                .toList());
        // Overload leaves requests unsent, too: the service's own times decide then.
        Optional<String> doubt = judged.outcome() == Outcome.HELD ? notSent() : blamed(objectives, operations);
        return new CapacityStep(
                number,
                step.purpose(),
                step.load(),
                step.agents(),
                new CapacityStep.StepTime(result.startedAt(), step.seconds()),
                doubt.isPresent() ? Outcome.CLIENT : judged.outcome(),
                judged.holds(),
                result.measured().requestsPerSecond(),
                judged.objectives(),
                room(doubt),
                result.diagnoses().stream().findFirst().map(found -> found.text() + " " + found.advice()),
                folder);
    }

    private Optional<String> notSent() {
        PhaseResult phase = result.phases().get(0);
        long missing =
                phase.notSent().values().stream().mapToLong(Long::longValue).sum();
        return missing <= MOST_NOT_SENT * phase.asked()
                ? Optional.empty()
                : Optional.of(
                        "%d of %d requests weren't sent, since no user was free".formatted(missing, phase.asked()));
    }

    /** Empty if at least one objective broke whatever the client did. */
    private Optional<String> blamed(List<Objective> objectives, List<String> operations) {
        List<String> reasons = new ArrayList<>();
        for (Objective objective : objectives) {
            if (holds(objective, operations)) {
                continue;
            }
            if (holds(objective.of(Timing.SERVICE), operations)) {
                reasons.add("requests were sent late, since no user was free: service times meet " + objective);
            } else if (result.verdict().blamesClient() && holds(objective.of(Timing.CLEARED), operations)) {
                reasons.add(result.verdict().worst());
            } else if (objective.isAboutFailures() && failsHere(objective, operations)) {
                reasons.add("requests failed at the client itself");
            } else {
                return Optional.empty();
            }
        }
        return reasons.stream().findFirst();
    }

    private boolean holds(Objective objective, List<String> operations) {
        return StepJudge.result(StepSeries.of(objective, intervals, operations)).holds() >= EVEN;
    }

    private boolean failsHere(Objective objective, List<String> operations) {
        double others = 0;
        double requests = 0;
        for (Interval interval : intervals) {
            Tally tally = objective.tally(interval, operations);
            requests += tally.requests();
            others += tally.failures().entrySet().stream()
                    .filter(of -> !of.getKey().isClientLimit())
                    .mapToLong(of -> of.getValue().count())
                    .sum();
        }
        return others < objective.limit() * requests;
    }

    private ClientRoom room(Optional<String> doubt) {
        PhaseResult phase = result.phases().get(0);
        Figures figures = result.measured();
        double cpu = phase.client().cpuPercent();
        double byCpu = cpu == 0 ? Double.MAX_VALUE : step.load() * MOST_CPU_PERCENT / cpu;
        boolean open = result.plan().phases().get(0).load() instanceof Load.Open;
        double service =
                figures.service().mean().value().map(of -> of.toNanos() / 1e9).orElse(0.0);
        double byUsers = open && service > 0 ? phase.threads() / service : Double.MAX_VALUE;
        return new ClientRoom(
                phase.threads(),
                cpu,
                open ? figures.slip().p99().value().map(of -> of.toNanos() / 1e6) : Optional.empty(),
                Optional.of(Math.min(byCpu, byUsers)).filter(of -> of < Double.MAX_VALUE),
                byCpu < byUsers ? "CPU" : "users",
                doubt);
    }
}
