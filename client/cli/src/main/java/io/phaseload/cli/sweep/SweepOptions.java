package io.phaseload.cli.sweep;

import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.run.CommonOptions;
import io.phaseload.cli.run.PlanOptions;
import io.phaseload.cli.watch.LiveOptions;
import io.phaseload.options.CountHandler;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.Heading;
import io.phaseload.options.MoreOptions;
import io.phaseload.settings.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.kohsuke.args4j.Option;

/** The options of {@code sweep}: those of {@code run}, but for what it varies, and its own. */
public final class SweepOptions implements MoreOptions {

    static final String DEFAULT_WARMUP = "5s";

    final CommonOptions common = new CommonOptions();

    /** The load of each trial; names in braces stand for the step's values. */
    final PlanOptions plan = new PlanOptions(
            Set.of(Setting.THREADS, Setting.RATE, Setting.DURATION, Setting.PHASES, Setting.SEED, Setting.NAME));

    @Heading("Steps: every combination of the values of all lists")
    @Option(
            name = "--threads",
            aliases = "-c",
            metaVar = "LIST",
            usage = "counts such as 10,20,50, or a range: 10..1000 x2, 10..100 +10")
    String threads;

    @Option(
            name = "--rate",
            metaVar = "LIST",
            usage = "rates such as 100/s,200/s, or a range: 50/s..200/s x2, 50/s..200/s +50/s")
    String rate;

    @Option(
            name = "--duration",
            metaVar = "LIST",
            usage = "the length of the measured window: one, or one for each value of --threads, or of --rate if"
                    + " that is the list")
    String duration;

    @Option(
            name = "--param",
            metaVar = "NAME=A,B,...",
            usage = "{NAME} in URL, paths, headers, bodies, checks and labels, also those of --plan, becomes each of"
                    + " these; may be repeated. {threads}, {rate}, {duration}, {step} and {trial} work as well")
    List<String> params = new ArrayList<>();

    @Option(name = "--trials", metaVar = "N", handler = CountHandler.class, usage = "runs of each step")
    int trials = 1;

    @Option(
            name = "--order",
            metaVar = "interleaved|sequential|random",
            usage = "interleaved: all steps, then all in reverse, and so on; sequential: all trials of a step, then"
                    + " the next; random by --seed")
    String order = "interleaved";

    @Option(
            name = "--seed",
            metaVar = "N",
            handler = CountHandler.FromZero.class,
            usage = "the seed of all random numbers")
    long seed = 1;

    @Option(name = "--pause", metaVar = "T", handler = DurationHandler.OrZero.class, usage = "between two trials")
    Duration pause = Duration.ZERO;

    @Option(
            name = "--warmup",
            metaVar = "T",
            handler = DurationHandler.OrZero.class,
            usage = "warm-up before the measured window, with the same load (" + DEFAULT_WARMUP + ")")
    Duration warmup;

    @Option(
            name = "--phases",
            metaVar = "LIST",
            usage = "phases as for run, instead of warm-up and window; all but warmup and cooldown count")
    String phases;

    @Option(name = "--only", metaVar = "PHASES", usage = "only these phases count, separated by commas")
    String only;

    @Heading("To stop early: skips steps with more load")
    @Option(name = "--stop-when", metaVar = "CONDITION", usage = "such as 'failures > 5%' or 'p99 > 1s', in one trial")
    String stopWhen;

    @Option(name = "--until-plateau", usage = "after two steps in a row with less than 5 % more throughput")
    boolean untilPlateau;

    @Heading("Results")
    @Option(
            name = "--resume",
            metaVar = "DIR",
            usage =
                    "continue an interrupted sweep; it can only be combined with --json, --junit, --quiet, --live, and -H"
                            + " for headers that were secret")
    String resume;

    @Option(name = "--name", metaVar = "NAME", usage = "part of the folder's name")
    String name = "sweep";

    final LiveOptions page = new LiveOptions();

    final ClusterOptions cluster = new ClusterOptions();

    /** The requests around each trial. */
    final Hooks hooks = new Hooks();

    @Override
    public List<?> more() {
        return List.of(common, page, hooks, plan, cluster, common.general);
    }

    /** A request around each trial as it was typed, with the values to take from its response. */
    record Hook(String option, String text, List<String> takes) {}

    /** The options for requests around each trial. */
    static final class Hooks {

        final List<Hook> all = new ArrayList<>();

        /** A {@code --take} without a request before it. */
        String strayTake;

        @Heading("Around each trial, in this order; not measured")
        @Option(name = "--before", metaVar = "'METHOD PATH [BODY]'", usage = "sent before the trial; may be repeated")
        private void addBefore(String text) {
            all.add(new Hook("--before", text, new ArrayList<>()));
        }

        @Option(
                name = "--after",
                metaVar = "'METHOD PATH [BODY]'",
                usage = "sent after the trial, even if it failed; may be repeated")
        private void addAfter(String text) {
            all.add(new Hook("--after", text, new ArrayList<>()));
        }

        @Option(
                name = "--take",
                metaVar = "NAME=POINTER",
                usage = "{NAME} in later requests becomes this value of the JSON response to the request before this"
                        + " option, such as token=/token")
        private void addTake(String text) {
            if (all.isEmpty()) {
                strayTake = text;
            } else {
                all.get(all.size() - 1).takes().add(text);
            }
        }
    }
}
