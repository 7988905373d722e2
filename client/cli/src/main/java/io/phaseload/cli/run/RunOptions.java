package io.phaseload.cli.run;

import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.command.CommandHelp;
import io.phaseload.cli.watch.LiveOptions;
import io.phaseload.cli.watch.WatchOptions;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.Heading;
import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.kohsuke.args4j.Option;

/** The options of {@code run}. */
public final class RunOptions implements MoreOptions {

    /** The options for a look at a part of a plan. */
    static final class PartOptions {

        @Heading("A plan in part, without the thresholds of the rest")
        @Option(name = "--once", usage = "one iteration of one user, in one phase; of each scenario, if there are any")
        boolean once;

        @Option(name = "--scenario", metaVar = "NAME", usage = "only this scenario of the plan")
        String scenario;
    }

    private static final class CheckOption {

        /** Tomcat writes its buffer every ten seconds. */
        private static final Duration LONGEST_BUFFER = Duration.ofSeconds(12);

        @Heading("Results")
        @Option(
                name = "--doctor",
                usage = "checks first whether machine and target suit the run, in about five seconds; a check that"
                        + " says FAIL ends it with exit code 2")
        private boolean doctor;

        @Option(
                name = ServerLog.PROVE,
                metaVar = "FILE",
                usage = "the server's access log (common, combined or JSON lines): compares its lines of the run with"
                        + " the requests that were sent")
        private String prove;

        @Option(
                name = ServerLog.WAIT,
                metaVar = "TIME",
                handler = DurationHandler.class,
                usage = "how long to wait after the run for lines that the server writes later (12s)")
        private Duration proveWait = LONGEST_BUFFER;
    }

    final PlanOptions plan = new PlanOptions(Set.of());

    final PartOptions part = new PartOptions();

    private final CheckOption check = new CheckOption();

    final ClusterOptions cluster = new ClusterOptions();

    final CommonOptions common = new CommonOptions();

    final WatchOptions watch = new WatchOptions(new LiveOptions());

    @Override
    public List<?> more() {
        return List.of(plan, common, check, watch.page, watch, part, cluster, common.general);
    }

    /** Whether machine and target are checked before the run. */
    boolean doctor() {
        return check.doctor;
    }

    /** The server's access log; {@code null} if it isn't read. */
    String prove() {
        return check.prove;
    }

    Duration proveWait() {
        return check.proveWait;
    }

    /** The help of {@code run}. */
    public static Help help() {
        return CommandHelp.of("run").with(new RunOptions(), any -> true);
    }
}
