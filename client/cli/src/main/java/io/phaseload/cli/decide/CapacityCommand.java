package io.phaseload.cli.decide;

import io.phaseload.capacity.CapacityJson;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.CapacityStep;
import io.phaseload.capacity.CapacityStep.Purpose;
import io.phaseload.capacity.Look;
import io.phaseload.capacity.NextStep;
import io.phaseload.capacity.Objective;
import io.phaseload.capacity.Outcome;
import io.phaseload.capacity.Search;
import io.phaseload.cli.cluster.ClusterPlan;
import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.cli.folders.ResultOutput;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.cli.run.Filling;
import io.phaseload.cli.run.Heap;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.cli.run.RunPlan;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.cli.watch.Outputs;
import io.phaseload.measure.Interval;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.plan.Plan;
import io.phaseload.report.CapacityPage;
import io.phaseload.report.TextFiles;
import io.phaseload.report.junit.JUnitXml;
import io.phaseload.report.junit.TestSuites;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.text.runs.CapacityReport;
import io.phaseload.result.Environment;
import io.phaseload.result.store.StoredRun;
import io.phaseload.settings.SecretOptions;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code phaseload capacity}: from options to an exit code. */
public final class CapacityCommand implements CommandBean {

    /** Fewer add no cost, and more are asked for by {@code -c}. */
    private static final int LEAST_USERS = 10;

    /** For each agent. */
    private static final int MOST_USERS = 2_000;

    private final CapacityOptions options = new CapacityOptions();
    private OptionParser parser;

    @Override
    public List<?> more() {
        return List.of(options);
    }

    @Override
    public void parse(OptionParser of, String... arguments) {
        parser = of;
        ForeignOptions.parse(of, false, arguments);
    }

    @Override
    public boolean lists(OptionSpec option) {
        return !options.plan.has(option);
    }

    @Override
    public int execute(Console console) {
        PrintStream err = console.err();
        List<Objective> objectives = options.objectives();
        Optional<ClusterPlan> cluster = options.cluster.plan();
        Search search = options.search(cluster.map(ClusterPlan::count).orElse(0));
        SearchSteps steps = new SearchSteps(options, objectives);
        NextStep first = search.next(List.of(), options.budget.toMillis() / 1e3).orElseThrow();
        RunPlan wanted = steps.plan(first);
        Plan plan = wanted.signed(RunCommand.NOT_STARTED_YET);
        wanted.checkDataOf(plan);
        ClusterPlan.check(plan, cluster, wanted.url().isEmpty());
        objectives.forEach(of -> Checked.value("--slo", "'" + of + "'", shown -> of.check(plan), "an operation"));
        if (cluster.isEmpty() && Heap.isTooSmall(List.of(plan), err)) {
            return ExitCode.INTERNAL_ERROR;
        }
        if (wanted.url().isPresent()) {
            RunCommand.checkServer(plan);
        }
        OutputFile junit = OutputFile.of("--junit", options.common.junit);
        try (Outputs outputs = Outputs.ofSweep(options.page, err)) {
            Path folder = Folders.make(options.common.out, options.name).path();
            PrintStream text = console.text(options.common.json);
            CapacityResult begun = new CapacityResult(
                    CapacityJson.SCHEMA_VERSION,
                    options.name,
                    wanted.url().map(Object::toString).orElseGet(() -> wanted.local()
                            .name()),
                    Instant.now(),
                    objectives.stream().map(Objective::toString).toList(),
                    search,
                    options.budget.toMillis() / 1e3,
                    Environment.capture(),
                    SecretOptions.redact(parser.line()),
                    List.of(),
                    Optional.empty(),
                    false);
            CapacityResult result;
            try (PlannedRuns runs = new PlannedRuns(
                    folder, options.common, cluster, plan.target().responseTimeout(), outputs.page(), console)) {
                outputs.begin(plan.target().address(), folder, runs.steering());
                result = steps.all(begun, runs, folder, options.common.quiet ? Optional.empty() : Optional.of(text));
            }
            write(console, folder, result);
            outputs.finished(folder);
            return junit.write(() -> JUnitXml.write(List.of(TestSuites.of(result))), code(result), err);
        } catch (IOException e) {
            err.println("phaseload: " + e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private void write(Console console, Path folder, CapacityResult result) throws IOException {
        boolean json = options.common.json;
        PrintStream text = console.text(json);
        CapacityJson.write(folder, result);
        text.print("\n" + CapacityReport.text(result, json ? TextTable.WIDE : Terminal.columns()));
        if (json) {
            console.print(CapacityJson.write(result));
        }
        TextFiles.write(folder, result);
        ResultOutput.writePage(folder, () -> CapacityPage.write(result), console.err());
        text.println("Results: " + folder);
    }

    private static int code(CapacityResult result) {
        if (!result.finished()) {
            return ExitCode.INTERRUPTED;
        }
        if (result.nothingSucceeded()) {
            return ExitCode.NOTHING_SUCCEEDED;
        }
        return result.answer().isPresent() ? ExitCode.PASSED : ExitCode.THRESHOLD_FAILED;
    }

    /** Makes and runs the steps of a search. */
    private record SearchSteps(CapacityOptions options, List<Objective> objectives) {

        CapacityResult all(CapacityResult begun, PlannedRuns runs, Path folder, Optional<PrintStream> text)
                throws IOException {
            long begin = System.nanoTime();
            CapacityResult result = begun;
            List<Interval> intervals = new ArrayList<>();
            CapacityJson.write(folder, result);
            while (!runs.isStopped() && !result.nothingSucceeded()) {
                double left = result.budgetSeconds() - (System.nanoTime() - begin) / 1e9;
                Optional<NextStep> next = result.search().next(result.steps(), left);
                if (next.isEmpty()) {
                    break;
                }
                Optional<CapacityStep> step = run(runs, next.get(), result.steps(), intervals);
                if (step.isEmpty()) {
                    break;
                }
                result = result.with(step.get());
                CapacityJson.write(folder, result);
                String line = CapacityReport.line(result, step.get());
                text.ifPresent(to -> {
                    to.println(line);
                    to.flush();
                });
            }
            return runs.isStopped() ? result : result.end();
        }

        /** Empty if a signal ended it. */
        private Optional<CapacityStep> run(
                PlannedRuns runs, NextStep next, List<CapacityStep> before, List<Interval> intervals)
                throws IOException {
            int number = before.size() + 1;
            String load = BigDecimal.valueOf(next.load()).stripTrailingZeros().toPlainString();
            String name = String.format(
                    Locale.ROOT, "step-%02d-%s%s", number, load, options.users() ? "-users" : "-per-second");
            if (next.agents() > 0) {
                runs.use(next.agents());
            }
            try {
                StoredRun run = runs.run(name, "Step " + number + " at " + load, plan(next));
                if (runs.isStopped()) {
                    return Optional.empty();
                }
                if (next.purpose() != Purpose.AGAIN
                        || before.get(before.size() - 1).outcome() == Outcome.CLIENT) {
                    intervals.clear();
                }
                intervals.addAll(run.intervals());
                return Optional.of(
                        new Look(next, run.result(), List.copyOf(intervals)).judged(number, objectives, name));
            } catch (InterruptedIOException e) {
                return Optional.empty();
            }
        }

        /** A run of a step. */
        RunPlan plan(NextStep step) {
            String load = BigDecimal.valueOf(step.load()).stripTrailingZeros().toPlainString();
            Settings own = RunPlan.with(Settings.NONE, Setting.PHASES, "step=1");
            own = RunPlan.with(own, Setting.NAME, options.name);
            own = RunPlan.with(own, Setting.DURATION, Math.round(step.seconds() * 1e3) + "ms");
            own = RunPlan.with(
                    own, options.users() ? Setting.THREADS : Setting.RATE, load + (options.users() ? "" : "/s"));
            Settings all = options.plan.settings(Filling.NONE, own);
            if (!options.users() && !all.has(Setting.THREADS)) {
                double users = objectives.stream()
                        .mapToDouble(of -> of.users(step.load()))
                        .max()
                        .orElseThrow();
                int count = (int)
                        Math.max(LEAST_USERS, Math.min(MOST_USERS * Math.max(1, step.agents()), Math.ceil(users)));
                all = RunPlan.with(all, Setting.THREADS, Integer.toString(count));
            }
            return new RunPlan(all);
        }
    }
}
