package io.phaseload.cli;

import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Secrets;
import io.phaseload.sweep.Order;
import io.phaseload.sweep.StopRule;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRows;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A sweep that is known to be all right as far as that can be known before it is run.
 *
 * @param options of the sweep
 * @param arguments all that was said, without secrets
 * @param trials makes the plans
 * @param steps the grid
 * @param order of the trials
 * @param rule when to stop
 * @param operations names of each plan's operations
 * @param rows makes the rows
 */
record SweepSetup(
        SweepOptions options,
        List<String> arguments,
        SweepTrials trials,
        List<Step> steps,
        Order order,
        StopRule rule,
        List<String> operations,
        TrialRows rows) {

    /** Stands for the address of a target that isn't started before everything else is checked. */
    private static final URI NOT_STARTED_YET = URI.create("http://127.0.0.1/");

    /**
     * Checks everything.
     *
     * @param options that were parsed
     * @param parser that did it
     */
    static SweepSetup of(SweepOptions options, OptionParser parser) throws UsageException {
        if (options.phases != null && options.warmup != null) {
            throw new UsageException("--warmup: expected no --phases beside it");
        }
        Order order = order(options);
        StopRule rule = rule(options, order);
        List<Step> steps = new SweepGrid(options).steps();
        SweepTrials trials = new SweepTrials(options, parser.handedOn());
        List<Plan> plans = new ArrayList<>();
        for (Step step : steps) {
            Trial first = new Trial(step, 1);
            Plan plan = trials.plan(first, trials.url(first).orElse(NOT_STARTED_YET));
            Asides.check(options, trials.placeholders(first), plan.target());
            plans.add(plan);
        }
        Plan plan = plans.get(0);
        return new SweepSetup(
                options,
                Secrets.redactArguments(parser.line()),
                trials,
                steps,
                order,
                rule,
                plan.scenario().operations().stream()
                        .map(Operation::name)
                        .map(Secrets::redactQuery)
                        .toList(),
                rows(plan, steps.get(0)));
    }

    private static Order order(SweepOptions options) throws UsageException {
        return Arrays.stream(Order.values())
                .filter(order -> order.name().toLowerCase(Locale.ROOT).equals(options.order))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "--order "
                                                + options.order
                                                + ": expected interleaved, sequential or random"));
    }

    private static StopRule rule(SweepOptions options, Order order) throws UsageException {
        boolean any = options.stopWhen != null || options.untilPlateau;
        if (any && order == Order.RANDOM) {
            throw new UsageException(
                    "--order random: expected no --stop-when and no --until-plateau beside it");
        }
        return options.stopWhen == null
                ? new StopRule(null, options.untilPlateau)
                : Checked.value(
                        "--stop-when",
                        "'" + options.stopWhen + "'",
                        shown ->
                                new StopRule(
                                        Threshold.parse(options.stopWhen), options.untilPlateau),
                        "a condition such as failures > 5%");
    }

    /** Names that a file's columns have must be different. */
    private static TrialRows rows(Plan plan, Step step) throws UsageException {
        List<String> labels = List.copyOf(plan.labels().keySet());
        List<String> metrics = TrialRows.metricsOf(plan);
        List<String> parameters = List.copyOf(step.group().keySet());
        TrialRows rows = new TrialRows(labels, parameters, metrics);
        Set<String> columns = new HashSet<>();
        String taken =
                rows.columns().stream()
                        .filter(column -> !columns.add(column))
                        .collect(Collectors.joining(", "));
        if (!taken.isEmpty()) {
            throw new UsageException(
                    "%s %s: expected another name: trials.csv has that column already"
                            .formatted(
                                    metrics.stream().anyMatch(taken::startsWith)
                                            ? "--metric"
                                            : "--label",
                                    taken));
        }
        return rows;
    }

    /** Finds out whether the figures that are asked of the server can be had. */
    void checkServer(URI uri) throws UsageException {
        RunCommand.checkServer(trials.plan(new Trial(steps.get(0), 1), uri));
    }

    /** The target to start, or {@code null} if all steps have an address. */
    LocalTarget local() throws UsageException {
        Trial first = new Trial(steps.get(0), 1);
        return trials.url(first).isPresent() ? null : trials.target(first);
    }

    /** Empty if a target is to be started. */
    Optional<URI> url(Trial trial) throws UsageException {
        return trials.url(trial);
    }
}
