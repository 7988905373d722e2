package io.phaseload.cli.sweep;

import io.phaseload.cli.command.Inputs;
import io.phaseload.cli.run.LocalTarget;
import io.phaseload.cli.run.RunOptions;
import io.phaseload.cli.run.RunPlan;
import io.phaseload.cli.run.Signing;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Threshold;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * From a trial to its plan: each trial is a {@code run} of its own, whose command line is the
 * sweep's with the step's values in it.
 *
 * @param options of the sweep
 * @param common the options of {@code run} as they were given
 * @param inputs what was read of files
 */
record SweepTrials(SweepOptions options, List<String> common, Inputs inputs) {

    private static final String DEFAULT_WARMUP = "5s";

    SweepTrials(SweepOptions options, List<String> common) {
        this(options, common, new Inputs());
    }

    /** The target to start; empty if the trial has an address. */
    Optional<LocalTarget> target(Trial trial) throws UsageException {
        RunPlan run = run(trial);
        return run.url().isPresent() ? Optional.empty() : Optional.of(run.local());
    }

    /**
     * The plan of a trial.
     *
     * @param started the address of the target that was started, for a trial that has none
     */
    Plan plan(Trial trial, URI started) throws UsageException {
        RunPlan run = run(trial);
        Optional<URI> url = run.url();
        Plan plan = Signing.sign(run.against(url.orElse(started)), run.settings(), url);
        List<Operation> before = plan.scenario().operations();
        List<Operation> named = named(before);
        List<String> names = before.stream().map(Operation::name).toList();
        return plan.withThresholds(List.of())
                .withOperations(named)
                .withThresholds(
                        plan.thresholds().stream()
                                .map(threshold -> renamed(threshold, names, named))
                                .toList());
    }

    private static Threshold renamed(
            Threshold threshold, List<String> names, List<Operation> named) {
        return threshold
                .operation()
                .map(name -> threshold.withOperation(named.get(names.indexOf(name)).name()))
                .orElse(threshold);
    }

    /** Names with their braces, so that they are the same in all steps. */
    private List<Operation> named(List<Operation> operations) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i + 1 < common.size(); i++) {
            if (RunOptions.REQUESTS.contains(common.get(i))) {
                String verb = common.get(i).substring(2).toUpperCase(Locale.ROOT);
                String name = verb + " " + common.get(i + 1);
                String unique = name;
                for (int n = 2; names.contains(unique); n++) {
                    unique = name + " #" + n;
                }
                names.add(unique);
            }
        }
        if (names.isEmpty()) {
            return operations;
        }
        List<Operation> named = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            named.add(operations.get(i).named(names.get(i)));
        }
        return named;
    }

    private RunPlan run(Trial trial) throws UsageException {
        Placeholders placeholders = new Placeholders(trial.values());
        List<String> line = new ArrayList<>();
        common.forEach(word -> line.add(placeholders.fill(word)));
        Map<String, String> values = trial.step().values();
        for (String name : List.of(Step.THREADS, Step.RATE, Step.DURATION)) {
            if (values.containsKey(name)) {
                line.addAll(List.of("--" + name, values.get(name)));
            }
        }
        line.addAll(List.of("--phases", phases(placeholders)));
        line.addAll(List.of("--seed", Long.toString(options.seed)));
        line.addAll(List.of("--name", options.name));
        return RunPlan.parse(inputs, line.toArray(String[]::new));
    }

    private String phases(Placeholders placeholders) {
        if (options.phases != null) {
            return placeholders.fill(options.phases);
        }
        String warmup =
                options.warmup == null ? DEFAULT_WARMUP : options.warmup.toNanos() / 1_000 + "us";
        return warmup.equals("0us") ? "peak=1" : "warmup=1 for " + warmup + ",peak=1";
    }
}
