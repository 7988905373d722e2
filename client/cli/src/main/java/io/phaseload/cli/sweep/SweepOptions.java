package io.phaseload.cli.sweep;

import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.command.Help;
import io.phaseload.cli.run.CommonOptions;
import io.phaseload.cli.run.PlanOptions;
import io.phaseload.options.CountHandler;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.MoreOptions;
import io.phaseload.settings.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.kohsuke.args4j.Option;

/** The options of {@code sweep}: those of {@code run}, but for what it varies, and its own. */
public final class SweepOptions implements MoreOptions {

    static final String HELP =
            """
            Runs every step of a grid several times, and reports how steps differ and how certain that is.

            Usage: phaseload sweep [options], with all options of run

            Steps: every combination of the values of all lists
              -c, --threads LIST     counts such as 10,20,50, or a range: 10..1000 x2, 10..100 +10
              --rate LIST            rates such as 100/s,200/s, or a range: 50/s..200/s x2, 50/s..200/s +50/s
              --duration LIST        the length of the measured window: one, or one for each value of
                                     --threads, or of --rate if that is the list
              --param NAME=A,B,...   {NAME} in URL, paths, headers, bodies, checks and labels, also those
                                     of --plan, becomes each of these; may be repeated. {threads},
                                     {rate}, {duration}, {step} and {trial} work as well
              --trials N             how many times each step is run (1)
              --order ORDER          interleaved: all steps, then all in reverse, and so on;
                                     sequential: all trials of a step, then the next; random by --seed
                                     (interleaved)
              --pause T              between two trials (0s)
              --warmup T             warm-up before the measured window, with the same load (5s)
              --phases LIST          phases as for run, in place of warm-up and window; all but warmup
                                     and cooldown count
              --only PHASES          only these phases count, separated by commas
            To stop early: skips steps with more load
              --stop-when CONDITION  such as 'failures > 5%' or 'p99 > 1s', in one trial
              --until-plateau        after two steps in a row with less than 5 % more throughput
            Around each trial, in this order; not measured
              --before 'METHOD PATH [BODY]'
              --after 'METHOD PATH [BODY]'
                                     sent even if the trial failed; both may be repeated
              --take NAME=POINTER    {NAME} in later requests becomes this value of the JSON response to
                                     the request before this option, such as token=/token
            Load from several machines
            """
                    + ClusterOptions.HELP
                    + """
            Results
              --resume DIR           continue an interrupted sweep; it can only be combined with --json,
                                     --junit, --quiet, and -H for headers that were secret
              -o, --out DIR          the folder to write, new or empty (results/<time>-<name>)
              --name NAME            part of the folder's name (sweep)
              --json                 sweep.json on standard output, all else on standard error
              --junit FILE           each trial's verdict and thresholds as JUnit XML
              --quiet                no line per trial
              -h, --help             the most common options, or all of them
              -V, --version

            trials.csv has a row for each trial and operation, written when the trial is over; describe
            summarizes it by any column. A step that fails is a row with its reason.
            Exit codes: 0 passed, 1 internal error, 2 usage, 3 nothing succeeded, 4 a measurement is
            invalid, 99 a trial failed a threshold, 130 interrupted.
            """;

    private static final Set<String> COMMON = Set.of(
            "--threads",
            "--rate",
            "--duration",
            "--param",
            "--trials",
            "--warmup",
            "--stop-when",
            "--resume",
            "--out",
            "--help");

    /** The part of the help that most sweeps need. */
    static String briefHelp() {
        return Help.brief(HELP, COMMON, "phaseload sweep --help lists all options.");
    }

    final CommonOptions common = new CommonOptions();

    /** The load of each trial; names in braces stand for the step's values. */
    final PlanOptions plan = new PlanOptions(
            Set.of(Setting.THREADS, Setting.RATE, Setting.DURATION, Setting.PHASES, Setting.SEED, Setting.NAME));

    @Option(name = "--threads", aliases = "-c", usage = "counts such as 10,20,50")
    String threads;

    @Option(name = "--rate", usage = "rates such as 100/s,200/s")
    String rate;

    @Option(name = "--duration", usage = "times such as 10s, or 10s,20s,30s")
    String duration;

    @Option(name = "--param", usage = "name=a,b,c")
    List<String> params = new ArrayList<>();

    @Option(name = "--trials", handler = CountHandler.class)
    int trials = 1;

    @Option(name = "--order", usage = "interleaved, sequential or random")
    String order = "interleaved";

    @Option(name = "--seed", handler = CountHandler.OrZero.class)
    long seed = 1;

    @Option(name = "--pause", handler = DurationHandler.OrZero.class)
    Duration pause = Duration.ZERO;

    @Option(name = "--warmup", handler = DurationHandler.OrZero.class)
    Duration warmup;

    @Option(name = "--phases", usage = "name=share,name=share,…")
    String phases;

    @Option(name = "--only", usage = "names of phases, separated by commas")
    String only;

    @Option(name = "--stop-when", usage = "a condition such as 'failures > 5%'")
    String stopWhen;

    @Option(name = "--until-plateau")
    boolean untilPlateau;

    @Option(name = "--resume", usage = "a sweep's folder")
    String resume;

    @Option(name = "--name", usage = "letters, digits, '.', '-' and '_'")
    String name = "sweep";

    final ClusterOptions cluster = new ClusterOptions();

    @Override
    public List<?> more() {
        return List.of(common, plan, cluster);
    }

    /** A request around each trial as it was typed, with the values to take from its response. */
    record Hook(String option, String text, List<String> takes) {}

    final List<Hook> hooks = new ArrayList<>();

    /** A {@code --take} without a request in front of it. */
    String strayTake;

    @Option(name = "--before", usage = "'METHOD PATH [BODY]'")
    private void addBefore(String text) {
        hooks.add(new Hook("--before", text, new ArrayList<>()));
    }

    @Option(name = "--after", usage = "'METHOD PATH [BODY]'")
    private void addAfter(String text) {
        hooks.add(new Hook("--after", text, new ArrayList<>()));
    }

    @Option(name = "--take", usage = "name=/pointer")
    private void addTake(String text) {
        if (hooks.isEmpty()) {
            strayTake = text;
        } else {
            hooks.get(hooks.size() - 1).takes().add(text);
        }
    }
}
