package io.phaseload.cli.sweep;

import io.phaseload.cli.run.Filling;
import io.phaseload.cli.run.LocalTarget;
import io.phaseload.cli.run.RunPlan;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Threshold;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the plan of a trial: each trial is a {@code run} with the sweep's settings, in which names in braces are
 * replaced by the step's values.
 *
 * @param options of the sweep
 * @param parameters the names of the sweep's parameters
 * @param used gets the names whose values were filled in
 */
record SweepTrials(SweepOptions options, Set<String> parameters, Set<String> used) {

    private static final Map<String, String> LOAD = Map.of(
            Step.THREADS, Setting.THREADS,
            Step.RATE, Setting.RATE,
            Step.DURATION, Setting.DURATION);

    /** The target to start; empty if the trial has an address. */
    Optional<LocalTarget> target(Trial trial) {
        RunPlan run = run(trial, texts(trial, true));
        return run.url().isPresent() ? Optional.empty() : Optional.of(run.local());
    }

    /**
     * The plan of a trial.
     *
     * @param started the address of the target that was started, for a trial that has none
     */
    Plan plan(Trial trial, URI started) {
        TrialTexts texts = texts(trial, true);
        RunPlan run = run(trial, texts);
        Plan plan = run.signed(started);
        List<String> before =
                plan.scenario().operations().stream().map(Operation::name).toList();
        List<String> names = names(texts(trial, false));
        texts.addUsed(plan);
        return plan.withThresholds(List.of())
                .withNames(names)
                .withThresholds(plan.thresholds().stream()
                        .map(threshold -> renamed(threshold, before, names))
                        .toList());
    }

    /** Checks that the files of a trial's data are there. */
    void checkData(Trial trial, Plan plan) {
        run(trial, texts(trial, true)).checkDataOf(plan);
    }

    private static Threshold renamed(Threshold threshold, List<String> before, List<String> names) {
        return threshold.withNames(name -> {
            int index = before.indexOf(name);
            return index >= 0 && index < names.size() ? names.get(index) : name;
        });
    }

    /** Names of requests that keep their braces, so that they are the same in all steps. */
    private List<String> names(TrialTexts texts) {
        List<String> names = new ArrayList<>();
        for (String request : options.plan.requests(texts.filling())) {
            String unique = request;
            for (int n = 2; names.contains(unique); n++) {
                unique = request + " #" + n;
            }
            names.add(unique);
        }
        return names;
    }

    private TrialTexts texts(Trial trial, boolean requests) {
        return new TrialTexts(trial, parameters, requests, used);
    }

    private RunPlan run(Trial trial, TrialTexts texts) {
        Filling filling = texts.filling();
        Settings own = RunPlan.with(Settings.NONE, Setting.PHASES, phases(filling));
        own = RunPlan.with(own, Setting.SEED, Long.toString(options.seed));
        own = RunPlan.with(own, Setting.NAME, options.name);
        for (Map.Entry<String, String> value : trial.step().values().entrySet()) {
            if (LOAD.containsKey(value.getKey())) {
                own = RunPlan.with(own, LOAD.get(value.getKey()), value.getValue());
            }
        }
        return new RunPlan(options.plan.settings(filling, own));
    }

    private String phases(Filling filling) {
        if (options.phases != null) {
            return filling.typed().apply(options.phases);
        }
        String warmup = options.warmup == null ? SweepOptions.DEFAULT_WARMUP : options.warmup.toNanos() / 1_000 + "us";
        return warmup.equals("0us") ? "peak=1" : "warmup=1 for " + warmup + ",peak=1";
    }
}
