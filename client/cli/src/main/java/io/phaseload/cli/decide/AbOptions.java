package io.phaseload.cli.decide;

import io.phaseload.ab.AbFigure;
import io.phaseload.ab.AbSettings;
import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.command.Checked;
import io.phaseload.cli.run.CommonOptions;
import io.phaseload.cli.run.PlanOptions;
import io.phaseload.cli.watch.LiveOptions;
import io.phaseload.options.CountHandler;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.PercentHandler;
import io.phaseload.settings.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** The options of {@code ab}: those of {@code run}, and its own. */
public final class AbOptions implements MoreOptions {

    static final String WARMUP = "--warmup";

    final CommonOptions common = new CommonOptions();

    /** The load of each run. */
    final PlanOptions plan = new PlanOptions(Set.of(Setting.SEED, Setting.NAME));

    final LiveOptions page = new LiveOptions();

    final ClusterOptions cluster = new ClusterOptions();

    @Argument(metaVar = "A B", usage = "two addresses, or the files of two plans; neither, if commands start the sides")
    List<String> sides = new ArrayList<>();

    @Option(name = "--a-start")
    String aStart;

    @Option(name = "--b-start")
    String bStart;

    @Option(name = "--a-stop")
    String aStop;

    @Option(name = "--b-stop")
    String bStop;

    @Option(name = "--before-each")
    String beforeEach;

    @Option(name = "--ready")
    String ready;

    @Option(name = "--ready-timeout", handler = DurationHandler.class)
    Duration readyTimeout = Duration.ofSeconds(60);

    @Option(name = "--margin", handler = PercentHandler.class)
    Double margin = 5.0;

    @Option(name = "--failures-margin", handler = PercentHandler.class)
    Double failuresMargin = 0.1;

    @Option(name = "--figures")
    String figures = "p50,p95,p99,throughput,failed";

    @Option(name = "--budget", handler = DurationHandler.class)
    Duration budget = Duration.ofMinutes(10);

    @Option(name = WARMUP, handler = DurationHandler.OrZero.class)
    Duration warmup;

    @Option(name = "--seed", handler = CountHandler.FromZero.class)
    long seed = 1;

    @Option(name = "--name")
    String name = "ab";

    @Override
    public List<?> more() {
        return List.of(common, page, plan, cluster);
    }

    AbSettings settings() {
        List<String> known = Stream.of(AbFigure.values()).map(AbFigure::key).toList();
        return new AbSettings(
                margin, failuresMargin, budget.toMillis() / 1e3, seed, Checked.some("--figures", figures, known));
    }
}
