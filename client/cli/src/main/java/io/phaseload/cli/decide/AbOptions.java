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
import io.phaseload.options.Heading;
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

    @Heading("Sides that commands start, for each run anew")
    @Option(name = "--a-start", metaVar = "CMD", usage = "starts A, and may go on until it is ended")
    String aStart;

    @Option(name = "--b-start", metaVar = "CMD", usage = "starts B")
    String bStart;

    @Option(name = "--a-stop", metaVar = "CMD", usage = "ends A; without it, SIGTERM ends what --a-start started")
    String aStop;

    @Option(name = "--b-stop", metaVar = "CMD", usage = "ends B")
    String bStop;

    @Option(
            name = "--before-each",
            metaVar = "CMD",
            usage = "before each run, and before --a-start and --b-start; in all commands AB_SIDE is a or b")
    String beforeEach;

    @Option(
            name = "--ready",
            metaVar = "PATH",
            usage = "a run begins as soon as GET PATH succeeds (as soon as the address takes a connection)")
    String ready;

    @Option(
            name = "--ready-timeout",
            metaVar = "T",
            handler = DurationHandler.class,
            usage = "the longest wait for that")
    Duration readyTimeout = Duration.ofSeconds(60);

    @Heading("Decision")
    @Option(
            name = "--margin",
            metaVar = "P",
            handler = PercentHandler.class,
            usage = "exit with code 5 if times, throughput or CPU use are worse by more than this with confidence")
    Double margin = 5.0;

    @Option(
            name = "--failures-margin",
            metaVar = "P",
            handler = PercentHandler.class,
            usage = "the same for failures, in percentage points")
    Double failuresMargin = 0.1;

    @Option(
            name = "--figures",
            metaVar = "LIST",
            usage = "the figures that decide, of p50, p95, p99, throughput, failed, server-cpu and client-cpu; fewer"
                    + " figures are decided sooner")
    String figures = "p50,p95,p99,throughput,failed";

    @Option(
            name = "--budget",
            metaVar = "T",
            handler = DurationHandler.class,
            usage = "ends by then, decided or not; a block of six runs that would take longer doesn't begin")
    Duration budget = Duration.ofMinutes(10);

    @Option(
            name = WARMUP,
            metaVar = "T",
            handler = DurationHandler.OrZero.class,
            usage = "a run of each side that doesn't count, before all others, up to three times until it is steady;"
                    + " 40s or more (40s; 0s if commands start the sides)")
    Duration warmup;

    @Option(
            name = "--seed",
            metaVar = "N",
            handler = CountHandler.FromZero.class,
            usage = "the seed of the order of runs, and of all other random numbers")
    long seed = 1;

    @Option(name = "--name", metaVar = "NAME", usage = "part of the folder's name")
    String name = "ab";

    @Override
    public List<?> more() {
        return List.of(common, page, plan, cluster, common.general);
    }

    AbSettings settings() {
        List<String> known = Stream.of(AbFigure.values()).map(AbFigure::key).toList();
        return new AbSettings(
                margin, failuresMargin, budget.toMillis() / 1e3, seed, Checked.some("--figures", figures, known));
    }
}
