package io.phaseload.sweep;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Environment;
import io.phaseload.schedule.Rate;
import io.phaseload.sweep.rows.TrialRows;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Runs a plan over a grid of steps, each several times.
 *
 * <pre>{@code
 * SweepResult result = Sweep.of(plan).threads(10, 20, 50).trials(3).run();
 * result.summary().steps().get(0).operations().get(0).median("p99_ms");
 * }</pre>
 *
 * <p>Each trial is a run of its own. Only its {@linkplain Plan#measuredPhases measured phases} count, so a phase called
 * {@code warmup} doesn't. Without {@link #folder} nothing is written.
 *
 * <p>Not thread-safe. To be able to stop a sweep from another thread, use {@link #open} and close what it returns.
 */
public final class Sweep {

    private final Grid grid;
    private Optional<List<String>> counted = Optional.empty();
    private String name = "sweep";
    private List<String> arguments = List.of();
    private int trials = 1;
    private Order order = Order.INTERLEAVED;
    private long seed = 1;
    private Optional<Path> folder = Optional.empty();
    private boolean resume;

    // Read by SweepRun.
    Function<Trial, Plan> plans;
    Duration pause = Duration.ZERO;
    StopRule rule = StopRule.NEVER;
    TrialHooks hooks = TrialHooks.NONE;
    TrialClient.ClientSource clients = TrialClient.ClientSource.HERE;
    SweepListener listener = SweepListener.NONE;

    private Sweep(Grid grid, Function<Trial, Plan> plans) {
        this.grid = grid;
        this.plans = plans;
    }

    /**
     * Starts with one plan, to be varied.
     *
     * @param plan the plan of all trials, except for what is varied
     * @return a sweep of one step with one trial
     */
    public static Sweep of(Plan plan) {
        return of(new Grid(), trial -> plan).seed(plan.seed());
    }

    /**
     * Starts with an existing grid.
     *
     * @param grid its steps; it is copied
     * @param plans makes the plan of a trial; all plans must have the same labels, operations and metrics, by name. An
     *     exception ends the sweep
     * @return a sweep with one trial per step
     */
    public static Sweep of(Grid grid, Function<Trial, Plan> plans) {
        return new Sweep(new Grid(grid), plans);
    }

    /**
     * Varies the number of users.
     *
     * @param counts see {@link Plan#threads()}
     * @return this
     * @throws IllegalArgumentException as {@link #vary} does
     */
    public Sweep threads(int... counts) {
        return vary(Step.THREADS, IntStream.of(counts).boxed().toList(), Plan::withThreads);
    }

    /**
     * Varies something. With several calls, all combinations are run.
     *
     * @param name {@link Step#RATE}, {@link Step#THREADS} or {@link Step#DURATION} for load, which changes fastest; for
     *     anything else see {@link Grid#vary}
     * @param values in the order of steps, each with a different text; that of a rate is read by {@link Rate#parse}
     * @param change makes the plan with a value
     * @param <T> the type of the values
     * @return this
     * @throws IllegalArgumentException as {@link Grid#vary} does; also if two values have the same text
     */
    public <T> Sweep vary(String name, List<T> values, BiFunction<Plan, T, Plan> change) {
        List<String> texts = values.stream().map(Object::toString).toList();
        if (Grid.LOADS.contains(name)) {
            grid.load(texts.stream().map(text -> Map.of(name, text)).toList());
        } else {
            grid.vary(name, texts);
        }
        Map<String, T> byText = new HashMap<>();
        values.forEach(value -> byText.put(value.toString(), value));
        Function<Trial, Plan> before = plans;
        plans = trial -> change.apply(
                before.apply(trial), byText.get(trial.step().values().get(name)));
        return this;
    }

    /**
     * Sets the phases that count, in place of the {@linkplain Plan#measuredPhases measured} ones.
     *
     * @param phases names of phases that all plans have, at least one
     * @return this
     * @throws IllegalArgumentException if there is none
     */
    public Sweep counting(List<String> phases) {
        counted = Optional.of(Args.notEmpty("phases", phases));
        return this;
    }

    /**
     * Names the sweep.
     *
     * @param name {@code sweep} by default
     * @return this
     */
    public Sweep name(String name) {
        this.name = name;
        return this;
    }

    /**
     * Sets the command line to repeat the sweep with. It is written to {@code sweep.json} and not read here.
     *
     * @param arguments the command line, without secrets; none by default
     * @return this
     */
    public Sweep arguments(List<String> arguments) {
        this.arguments = arguments;
        return this;
    }

    /**
     * Sets the number of trials per step.
     *
     * @param trials 1 by default
     * @return this
     * @throws IllegalArgumentException if it isn't 1 to {@link Grid#MOST_TRIALS}
     */
    public Sweep trials(int trials) {
        this.trials = (int) Args.range("trials", trials, 1, Grid.MOST_TRIALS);
        return this;
    }

    /**
     * Sets the order of trials.
     *
     * @param order {@link Order#INTERLEAVED} by default
     * @return this
     */
    public Sweep order(Order order) {
        this.order = order;
        return this;
    }

    /**
     * Sets the seed of the sweep's own random numbers; runs use the seeds of their plans.
     *
     * @param seed the plan's by default
     * @return this
     */
    public Sweep seed(long seed) {
        this.seed = seed;
        return this;
    }

    /**
     * Sets the time between two trials.
     *
     * @param pause none by default
     * @return this
     */
    public Sweep pause(Duration pause) {
        this.pause = pause;
        return this;
    }

    /**
     * Skips steps with more load than one at which the rule held.
     *
     * @param rule {@link StopRule#NEVER} by default; any other rule needs an order that isn't random
     * @return this
     */
    public Sweep stopWhen(StopRule rule) {
        this.rule = rule;
        return this;
    }

    /**
     * Skips steps with more load than one at which a condition held.
     *
     * @param condition a condition on one trial, such as {@code Threshold.parse("failures > 5%")}
     * @return this
     * @throws IllegalArgumentException as {@link StopRule} does
     */
    public Sweep stopWhen(Threshold condition) {
        return stopWhen(new StopRule(Optional.of(condition), false));
    }

    /**
     * Sets what is done around each trial.
     *
     * @param hooks nothing by default
     * @return this
     */
    public Sweep hooks(TrialHooks hooks) {
        this.hooks = hooks;
        return this;
    }

    /**
     * Sets who sends the load.
     *
     * @param clients this JVM by default
     * @return this
     */
    public Sweep clients(TrialClient.ClientSource clients) {
        this.clients = clients;
        return this;
    }

    /**
     * Sets the listener.
     *
     * @param listener none by default
     * @return this
     */
    public Sweep listener(SweepListener listener) {
        this.listener = listener;
        return this;
    }

    /**
     * Writes each trial's results, {@code trials.csv} and {@code sweep.json} to a folder as the sweep goes on.
     *
     * @param folder new or empty
     * @return this
     */
    public Sweep folder(Path folder) {
        this.folder = Optional.of(folder);
        this.resume = false;
        return this;
    }

    /**
     * Resumes a sweep that was interrupted or killed: its finished trials aren't run again.
     *
     * @param folder the folder of a sweep with the same steps, order, seed and labels
     * @return this
     */
    public Sweep resume(Path folder) {
        this.folder = Optional.of(folder);
        this.resume = true;
        return this;
    }

    /**
     * Runs the sweep and waits for its end; see {@link SweepRun#run()}.
     *
     * @return the measurement
     * @throws IOException if the folder can't be used or written to
     * @throws IllegalArgumentException as {@link #open} does
     */
    public SweepResult run() throws IOException {
        try (SweepRun run = open()) {
            return run.run();
        }
    }

    /**
     * Checks everything and prepares the folder; nothing is sent.
     *
     * @return the sweep, ready to run; this must not be changed any more
     * @throws IOException if the folder can't be used or written to, or belongs to a sweep other than the one to resume
     * @throws IllegalArgumentException if the sweep can't be run: a step's plan is invalid, lacks a phase that is to
     *     count or has other labels, operations or metrics than the first, a label or metric has the name of another
     *     column, there are too many trials, or a stop rule is given for a random order
     */
    public SweepRun open() throws IOException {
        if (order == Order.RANDOM && !rule.equals(StopRule.NEVER)) {
            throw new IllegalArgumentException("order random cannot be combined with a stop rule");
        }
        List<Step> steps = grid.steps(trials);
        Plan plan = plans.apply(new Trial(steps.get(0), 1));
        TrialRows rows = TrialRows.of(plan, steps.get(0));
        // All of them now: otherwise an invalid plan would only be found hours later.
        for (Step step : steps) {
            Plan other = plans.apply(new Trial(step, 1));
            TrialRows.checkSame(plan, other);
            counted(other);
        }
        TrialTable table = TrialTable.of(rows.columns(), List.of());
        Optional<SweepFolder> files = folder.map(SweepFolder::new);
        SweepInfo info =
                new SweepInfo(name, Instant.now(), Environment.capture(), arguments, trials, order, seed, steps);
        if (resume) {
            info = info.restOf(SweepInfo.toResume(folder.get()));
            int operations = plan.scenario().operations().size();
            table = files.get().resume(rows.columns(), operations);
        } else if (files.isPresent()) {
            files.get().create(table);
        }
        return new SweepRun(this, info, table, rows, files);
    }

    List<String> counted(Plan plan) {
        List<String> names = plan.phases().stream().map(Phase::name).toList();
        return counted.map(wanted -> known(wanted, names)).orElseGet(plan::measuredPhases);
    }

    private static List<String> known(List<String> wanted, List<String> names) {
        if (!names.containsAll(wanted)) {
            throw new ValueException("phases " + String.join(",", wanted), "some of " + String.join(",", names));
        }
        return wanted;
    }
}
