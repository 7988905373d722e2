package io.phaseload.cli.sweep;

import io.phaseload.cli.cluster.ClusterPlan;
import io.phaseload.cli.command.Checked;
import io.phaseload.cli.run.Intention;
import io.phaseload.cli.run.LocalTarget;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Threshold;
import io.phaseload.settings.SecretOptions;
import io.phaseload.sweep.Grid;
import io.phaseload.sweep.Order;
import io.phaseload.sweep.StopRule;
import io.phaseload.sweep.Sweep;
import io.phaseload.sweep.rows.TrialRows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A sweep that has been checked, as far as possible before it runs.
 *
 * @param options of the sweep
 * @param arguments its command line, without secrets
 * @param trials makes the plans
 * @param first of all trials
 * @param plans of each step, before a target is started
 * @param cluster the agents that send the load, if not this JVM
 */
record SweepSetup(
        SweepOptions options,
        List<String> arguments,
        SweepTrials trials,
        Trial first,
        List<Plan> plans,
        Optional<ClusterPlan> cluster) {

    /**
     * Checks the options.
     *
     * @param options as they were parsed
     * @param parser of the options
     */
    static SweepSetup of(SweepOptions options, OptionParser parser) {
        UsageException.throwIf(
                options.phases != null && options.warmup != null, "--warmup cannot be combined with --phases");
        rule(options, order(options));
        SweepGrid grid = new SweepGrid(options);
        Set<String> used = new HashSet<>();
        List<Step> steps = steps(options);
        SweepTrials trials = new SweepTrials(options, grid.parameters(), used);
        SweepHooks hooks = new SweepHooks(options, used);
        List<Plan> plans = new ArrayList<>();
        for (Step step : steps) {
            Trial trial = new Trial(step, 1);
            Plan plan = trials.plan(trial, RunCommand.NOT_STARTED_YET);
            trials.checkData(trial, plan);
            hooks.check(trial, plan.target());
            checkOnly(options, plan);
            plans.add(plan);
        }
        grid.checkUsed(used);
        Optional<ClusterPlan> cluster = options.cluster.plan();
        Trial first = new Trial(steps.get(0), 1);
        boolean target = cluster.isPresent() && trials.target(first).isPresent();
        plans.forEach(plan -> ClusterPlan.check(plan, cluster, target));
        checkColumns(plans, first.step());
        List<String> arguments = SecretOptions.redact(parser.line());
        return new SweepSetup(options, arguments, trials, first, plans, cluster);
    }

    private static void checkOnly(SweepOptions options, Plan plan) {
        List<String> known = plan.phases().stream().map(Phase::name).toList();
        if (options.only != null) {
            Checked.some("--only", options.only, known);
        }
    }

    private static List<Step> steps(SweepOptions options) {
        Grid grid = new SweepGrid(options).grid();
        try {
            return grid.steps(options.trials);
        } catch (IllegalArgumentException e) {
            throw new UsageException("sweep: " + e.getMessage());
        }
    }

    private static void checkColumns(List<Plan> plans, Step step) {
        try {
            TrialRows.of(plans.get(0), step);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--" + e.getMessage());
        }
        try {
            plans.forEach(plan -> TrialRows.checkSame(plans.get(0), plan));
        } catch (IllegalArgumentException e) {
            throw new UsageException("sweep: " + e.getMessage());
        }
    }

    /**
     * Makes the sweep, without a folder and a listener.
     *
     * @param started the address of the target that was started, if there is one
     */
    Sweep sweep(URI started) {
        Order order = order(options);
        Sweep sweep = Sweep.of(new SweepGrid(options).grid(), trial -> trials.plan(trial, started));
        if (options.only != null) {
            sweep.counting(List.of(options.only.split(",")));
        }
        return sweep.name(options.name)
                .arguments(arguments)
                .trials(options.trials)
                .order(order)
                .seed(options.seed)
                .pause(options.pause)
                .stopWhen(rule(options, order));
    }

    private static Order order(SweepOptions options) {
        return Arrays.stream(Order.values())
                .filter(order -> order.name().toLowerCase(Locale.ROOT).equals(options.order))
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        "--order " + options.order + ": expected interleaved, sequential or random"));
    }

    private static StopRule rule(SweepOptions options, Order order) {
        boolean any = options.stopWhen != null || options.untilPlateau;
        UsageException.throwIf(
                any && order == Order.RANDOM,
                "--order random cannot be combined with %s",
                options.untilPlateau ? "--until-plateau" : "--stop-when");
        return options.stopWhen == null
                ? new StopRule(Optional.empty(), options.untilPlateau)
                : Checked.value(
                        "--stop-when",
                        "'" + options.stopWhen + "'",
                        shown -> new StopRule(Optional.of(Threshold.parse(options.stopWhen)), options.untilPlateau),
                        "a condition such as failures > 5%");
    }

    /** The target to start; empty if all steps have an address. */
    Optional<LocalTarget> target() {
        return trials.target(first);
    }

    /** The announced load, as a line: of all steps if they send the same, or else of the first and the last one. */
    String intention() {
        int steps = plans.size();
        String first = Intention.text(plans.get(0));
        String last = Intention.text(plans.get(steps - 1));
        String count = "%d trial%s of %d step%s"
                .formatted(
                        steps * options.trials, steps * options.trials == 1 ? "" : "s", steps, steps == 1 ? "" : "s");
        return first.equals(last)
                ? "%s, each: %s".formatted(count, first)
                : "%s, the first step: %s, the last one: %s".formatted(count, first, last);
    }

    /** Checks whether the server's figures can be read. */
    void checkServer(URI started) {
        RunCommand.checkServer(trials.plan(first, started));
    }
}
