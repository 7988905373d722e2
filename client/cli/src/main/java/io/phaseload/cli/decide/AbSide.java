package io.phaseload.cli.decide;

import io.phaseload.cli.cluster.ClusterPlan;
import io.phaseload.cli.command.GeneralOptions;
import io.phaseload.cli.run.Filling;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.cli.run.RunPlan;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One side of a comparison: each of its runs has the settings of the command line, with its own address or plan.
 *
 * @param name as the user named it
 * @param commands around each of its runs
 * @param run its measured runs
 * @param warmup a run that doesn't count; empty without one
 */
record AbSide(String name, SideCommands commands, RunPlan run, Optional<RunPlan> warmup) {

    private static final String ONE_PHASE = "peak=1";
    private static final Duration OF_A_TARGET_THAT_STAYS = Duration.ofSeconds(5);
    /** Long enough to find where its warm-up ends. */
    private static final Duration OF_A_NEW_TARGET = Duration.ofSeconds(60);

    private static final Duration WARMUP = Duration.ofSeconds(40);

    /** The sides of the options, checked. */
    static List<AbSide> both(AbOptions options, Set<String> typed, String... arguments) {
        boolean started = options.aStart != null || options.bStart != null;
        UsageException.throwIf(
                started && (options.aStart == null || options.bStart == null),
                "%s needs %s",
                options.aStart == null ? "--b-start" : "--a-start",
                options.aStart == null ? "--a-start" : "--b-start");
        for (String[] pair : new String[][] {{"--a-stop", options.aStop}, {"--b-stop", options.bStop}}) {
            UsageException.throwIf(pair[1] != null && !started, "%s needs --a-start and --b-start", pair[0]);
        }
        UsageException.throwIf(
                options.sides.size() != 2 && !(options.sides.isEmpty() && started),
                "ab: expected two addresses or two plans, or --a-start and --b-start");
        for (String side : options.sides) {
            String own = isAddress(side) ? "--url" : "--plan";
            UsageException.throwIf(typed.contains(own), "%s cannot be combined with %s", own, side);
        }
        return List.of(side(0, options, started, arguments), side(1, options, started, arguments));
    }

    private static AbSide side(int index, AbOptions options, boolean started, String... arguments) {
        String start = index == 0 ? options.aStart : options.bStart;
        String name = options.sides.isEmpty() ? start : options.sides.get(index);
        RunPlan given = new RunPlan(settings(index, options, arguments));
        RunPlan run = new RunPlan(withLength(given.settings(), started));
        Plan plan = run.signed(RunCommand.NOT_STARTED_YET);
        run.checkDataOf(plan);
        UsageException.throwIf(
                started && run.url().isEmpty(),
                "--a-start and --b-start need --url, the address at which they can be reached");
        Duration length = options.warmup == null ? (started ? Duration.ZERO : WARMUP) : options.warmup;
        if (!length.isZero() && length.compareTo(WARMUP) < 0) {
            throw new UsageException("%s %d ms: expected 0s, or %d s or more, in which a steady state can be seen"
                    .formatted(AbOptions.WARMUP, length.toMillis(), WARMUP.toSeconds()));
        }
        return new AbSide(
                name,
                new SideCommands(
                        index == 0 ? "a" : "b",
                        Optional.ofNullable(options.beforeEach),
                        Optional.ofNullable(start),
                        Optional.ofNullable(index == 0 ? options.aStop : options.bStop),
                        Optional.ofNullable(options.ready),
                        options.readyTimeout),
                run,
                Optional.of(length)
                        .filter(of -> !of.isZero())
                        .map(of -> new RunPlan(lasting(of).over(run.settings()))));
    }

    /** The command line with the side's own address or plan, as if it were typed. */
    private static Settings settings(int index, AbOptions options, String... arguments) {
        AbOptions own = new AbOptions();
        List<String> line = new ArrayList<>(List.of(arguments));
        if (!options.sides.isEmpty()) {
            String side = options.sides.get(index);
            line.add(isAddress(side) ? "--url" : "--plan");
            line.add(side);
        }
        MoreOptions all = () -> List.of(own, new GeneralOptions());
        new OptionParser(all).parse(line.toArray(String[]::new));
        Settings seed = RunPlan.with(Settings.NONE, Setting.SEED, Long.toString(options.seed));
        return own.plan.settings(Filling.NONE, seed);
    }

    private static boolean isAddress(String side) {
        return side.contains("://");
    }

    /** One phase, unless the user or the plan's file says otherwise. */
    private static Settings withLength(Settings given, boolean started) {
        if (given.has(Setting.PHASES)) {
            return given;
        }
        Settings one = RunPlan.with(Settings.NONE, Setting.PHASES, ONE_PHASE).over(given);
        return given.has(Setting.DURATION) || given.has("iterations") || given.has("total")
                ? one
                : duration(started ? OF_A_NEW_TARGET : OF_A_TARGET_THAT_STAYS).over(one);
    }

    private static Settings duration(Duration length) {
        return RunPlan.with(Settings.NONE, Setting.DURATION, length.toMillis() + "ms");
    }

    private static Settings lasting(Duration length) {
        return duration(length)
                .with(Setting.PHASES, Given.text(Setting.PHASES, ONE_PHASE, new Origin.Option(AbOptions.WARMUP)));
    }

    /** The planned length of its runs; empty if it is a number of iterations. */
    Optional<Duration> length() {
        Duration sum = Duration.ZERO;
        for (Phase phase : run.signed(RunCommand.NOT_STARTED_YET).phases()) {
            if (!(phase.length() instanceof PhaseLength.Lasting lasting)) {
                return Optional.empty();
            }
            sum = sum.plus(lasting.duration());
        }
        return Optional.of(sum);
    }

    /** The planned length of one warm-up. */
    Duration warmupLength() {
        return warmup.map(of -> WARMUP).orElse(Duration.ZERO);
    }

    /** Checks that its server's figures can be read, if it runs already. */
    void checkServer() {
        if (run.url().isPresent()
                && commands.start().isEmpty()
                && commands.before().isEmpty()) {
            RunCommand.checkServer(run.signed(null));
        }
    }

    /** Checks that agents can run it, if there are to be any. */
    void check(Optional<ClusterPlan> cluster) {
        Plan plan = run.signed(RunCommand.NOT_STARTED_YET);
        ClusterPlan.check(plan, cluster, run.url().isEmpty());
    }
}
