package io.phaseload.cli.sweep;

import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.run.CommonOptions;
import io.phaseload.cli.run.PlanOptions;
import io.phaseload.cli.watch.LiveOptions;
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

    static final String DEFAULT_WARMUP = "5s";

    final CommonOptions common = new CommonOptions();

    /** The load of each trial; names in braces stand for the step's values. */
    final PlanOptions plan = new PlanOptions(
            Set.of(Setting.THREADS, Setting.RATE, Setting.DURATION, Setting.PHASES, Setting.SEED, Setting.NAME));

    @Option(name = "--threads", aliases = "-c")
    String threads;

    @Option(name = "--rate")
    String rate;

    @Option(name = "--duration")
    String duration;

    @Option(name = "--param")
    List<String> params = new ArrayList<>();

    @Option(name = "--trials", handler = CountHandler.class)
    int trials = 1;

    @Option(name = "--order")
    String order = "interleaved";

    @Option(name = "--seed", handler = CountHandler.FromZero.class)
    long seed = 1;

    @Option(name = "--pause", handler = DurationHandler.OrZero.class)
    Duration pause = Duration.ZERO;

    @Option(name = "--warmup", handler = DurationHandler.OrZero.class)
    Duration warmup;

    @Option(name = "--phases")
    String phases;

    @Option(name = "--only")
    String only;

    @Option(name = "--stop-when")
    String stopWhen;

    @Option(name = "--until-plateau")
    boolean untilPlateau;

    @Option(name = "--resume")
    String resume;

    @Option(name = "--name")
    String name = "sweep";

    final LiveOptions page = new LiveOptions();

    final ClusterOptions cluster = new ClusterOptions();

    /** The requests around each trial. */
    final Hooks hooks = new Hooks();

    @Override
    public List<?> more() {
        return List.of(common, page, hooks, plan, cluster);
    }

    /** A request around each trial as it was typed, with the values to take from its response. */
    record Hook(String option, String text, List<String> takes) {}

    /** The options for requests around each trial. */
    static final class Hooks {

        final List<Hook> all = new ArrayList<>();

        /** A {@code --take} without a request before it. */
        String strayTake;

        @Option(name = "--before")
        private void addBefore(String text) {
            all.add(new Hook("--before", text, new ArrayList<>()));
        }

        @Option(name = "--after")
        private void addAfter(String text) {
            all.add(new Hook("--after", text, new ArrayList<>()));
        }

        @Option(name = "--take")
        private void addTake(String text) {
            if (all.isEmpty()) {
                strayTake = text;
            } else {
                all.get(all.size() - 1).takes().add(text);
            }
        }
    }
}
