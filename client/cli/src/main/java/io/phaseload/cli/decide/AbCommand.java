package io.phaseload.cli.decide;

import io.phaseload.ab.AbComparison;
import io.phaseload.ab.AbJson;
import io.phaseload.ab.AbRun;
import io.phaseload.ab.Arm;
import io.phaseload.ab.Blocks;
import io.phaseload.ab.Judgement;
import io.phaseload.cli.cluster.ClusterPlan;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.cli.folders.ResultOutput;
import io.phaseload.cli.run.Heap;
import io.phaseload.cli.run.Intention;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.cli.run.RunPlan;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.cli.watch.Outputs;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.report.AbPage;
import io.phaseload.report.TextFiles;
import io.phaseload.report.junit.JUnitXml;
import io.phaseload.report.junit.TestSuites;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.text.runs.AbReport;
import io.phaseload.result.store.StoredRun;
import io.phaseload.settings.SecretOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code phaseload ab}: from options to an exit code. */
public final class AbCommand implements CommandBean {

    private static final String LOG = "commands.log";

    /** A target that isn't steady after as many warm-ups is compared as it is. */
    private static final int MOST_WARMUPS = 3;

    private final AbOptions options = new AbOptions();
    private OptionParser parser;
    private String[] line;

    @Override
    public List<?> more() {
        return List.of(options);
    }

    @Override
    public void parse(OptionParser of, String... arguments) {
        parser = of;
        line = arguments;
        of.parse(arguments);
    }

    @Override
    public boolean lists(OptionSpec option) {
        return !options.plan.has(option);
    }

    @Override
    public int execute(Console console) {
        PrintStream err = console.err();
        List<AbSide> sides = AbSide.both(options, parser.given(), line);
        Optional<ClusterPlan> cluster = options.cluster.plan();
        sides.forEach(side -> side.check(cluster));
        checkBudget(options.budget, sides);
        List<Plan> plans = sides.stream()
                .map(side -> side.run().signed(RunCommand.NOT_STARTED_YET))
                .toList();
        if (cluster.isEmpty() && Heap.isTooSmall(plans, err)) {
            return ExitCode.INTERNAL_ERROR;
        }
        AbComparison begun = AbComparison.begin(
                SecretOptions.redact(parser.line()),
                sides.get(0).name(),
                sides.get(1).name(),
                options.settings());
        sides.forEach(AbSide::checkServer);
        OutputFile junit = OutputFile.of("--junit", options.common.junit);
        try (Outputs outputs = Outputs.ofSweep(options.page, err)) {
            Path folder = Folders.make(options.common.out, options.name).path();
            PrintStream text = console.text(options.common.json);
            if (!options.common.quiet) {
                text.println("Each run: " + Intention.text(plans.get(0)));
            }
            AbComparison comparison;
            try (PlannedRuns runs = new PlannedRuns(
                    folder,
                    options.common,
                    cluster,
                    plans.get(0).target().responseTimeout(),
                    outputs.page(),
                    console)) {
                outputs.begin(plans.get(0).target().address(), folder, runs.steering());
                Comparing comparing = new Comparing(runs, sides, folder, options.common.quiet ? err : text);
                comparison = comparing.all(begun, options.common.quiet);
            }
            write(console, folder, comparison);
            outputs.finished(folder);
            int code = code(comparison);
            return junit.write(() -> JUnitXml.write(List.of(TestSuites.of(comparison))), code, err);
        } catch (IOException e) {
            err.println("phaseload: " + e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    /** One that ends before it could say anything is a mistake. */
    private static void checkBudget(Duration budget, List<AbSide> sides) {
        Optional<Duration> length = sides.get(0).length();
        if (length.isPresent()) {
            Duration least = length.get().multipliedBy((long) Judgement.LEAST_BLOCKS * Blocks.RUNS);
            for (AbSide side : sides) {
                least = least.plus(side.warmupLength());
            }
            if (budget.compareTo(least) < 0) {
                throw new UsageException(
                        "--budget %d s: expected at least %d s, the length of %d blocks of six runs after warm-up"
                                .formatted(budget.toSeconds(), least.toSeconds(), Judgement.LEAST_BLOCKS));
            }
        }
    }

    private void write(Console console, Path folder, AbComparison comparison) throws IOException {
        boolean json = options.common.json;
        PrintStream text = console.text(json);
        AbJson.write(folder, comparison);
        String report = AbReport.text(comparison, json ? TextTable.WIDE : Terminal.columns());
        text.print("\n" + report);
        if (json) {
            console.print(AbJson.write(comparison));
        }
        TextFiles.write(folder, comparison);
        ResultOutput.writePage(folder, () -> AbPage.write(comparison), console.err());
        text.println("Results: " + folder);
    }

    private static int code(AbComparison comparison) {
        if (!comparison.finished()) {
            return ExitCode.INTERRUPTED;
        }
        if (comparison.nothingSucceeded()) {
            return ExitCode.NOTHING_SUCCEEDED;
        }
        return switch (comparison.judgement().outcome()) {
            case REGRESSION -> ExitCode.REGRESSION;
            case NO_REGRESSION -> ExitCode.PASSED;
            case CONTROL_MOVED, TOO_NOISY, UNDECIDED, INVALID -> ExitCode.INVALID;
        };
    }

    /** The runs of a comparison, until it is over. */
    private record Comparing(PlannedRuns runs, List<AbSide> sides, Path folder, PrintStream text) {

        AbComparison all(AbComparison begun, boolean quiet) throws IOException {
            long begin = System.nanoTime();
            AbComparison comparison = begun;
            AbJson.write(folder, comparison);
            for (AbSide side : sides) {
                comparison = warmedUp(comparison, side);
                if (runs.isStopped() || comparison.nothingSucceeded()) {
                    return runs.isStopped() ? comparison : comparison.finish();
                }
            }
            for (int block = 1; !comparison.hasEnded(); block++) {
                int place = 0;
                for (Arm arm : Blocks.order(comparison.settings().seed(), block)) {
                    place++;
                    String name = "block-%02d/%d-%s"
                            .formatted(
                                    block,
                                    place,
                                    arm.title().toLowerCase(Locale.ROOT).replace(' ', '-'));
                    Optional<AbRun> run = run(
                            block, arm, name, sides.get(arm == Arm.B ? 1 : 0).run());
                    if (run.isEmpty()) {
                        return comparison;
                    }
                    comparison = comparison.with(run.get());
                    AbJson.write(folder, comparison);
                    if (comparison.nothingSucceeded()) {
                        return comparison.finish();
                    }
                }
                comparison = comparison.look((System.nanoTime() - begin) / 1e9);
                AbJson.write(folder, comparison);
                if (!quiet) {
                    text.println(AbReport.line(comparison));
                    text.flush();
                }
            }
            return comparison.finish();
        }

        private AbComparison warmedUp(AbComparison begun, AbSide side) throws IOException {
            AbComparison comparison = begun;
            boolean steady = side.warmup().isEmpty();
            for (int i = 1; !steady && i <= MOST_WARMUPS; i++) {
                Arm arm = side == sides.get(0) ? Arm.A : Arm.B;
                String name = "warm-up/" + arm.title().toLowerCase(Locale.ROOT) + "-" + i;
                Optional<AbRun> run = run(0, arm, name, side.warmup().get());
                if (run.isEmpty()) {
                    return comparison;
                }
                comparison = comparison.with(run.get());
                AbJson.write(folder, comparison);
                steady = run.get().steady().orElse(true) || comparison.nothingSucceeded();
            }
            return comparison;
        }

        /** Empty if a signal ended it. */
        private Optional<AbRun> run(int block, Arm arm, String name, RunPlan plan) throws IOException {
            AbSide side = sides.get(arm == Arm.B ? 1 : 0);
            long begin = System.nanoTime();
            try (SideCommands.StartedSide started =
                    side.commands().begin(plan.signed(RunCommand.NOT_STARTED_YET), folder.resolve(LOG), runs::pause)) {
                StoredRun run = runs.run(name, name, plan);
                return runs.isStopped()
                        ? Optional.empty()
                        : Optional.of(AbRun.of(block, arm, name, Duration.ofNanos(System.nanoTime() - begin), run));
            } catch (InterruptedIOException e) {
                return Optional.empty();
            }
        }
    }
}
