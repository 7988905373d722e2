package io.phaseload.cli.run;

import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.watch.LiveOptions;
import io.phaseload.cli.watch.WatchOptions;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.MoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.kohsuke.args4j.Option;

/** The options of {@code run}. */
public final class RunOptions implements MoreOptions {

    /** The options for a look at a part of a plan. */
    static final class PartOptions {

        @Option(name = "--once")
        boolean once;

        @Option(name = "--scenario")
        String scenario;
    }

    private static final class CheckOption {

        /** Tomcat writes its buffer every ten seconds. */
        private static final Duration LONGEST_BUFFER = Duration.ofSeconds(12);

        @Option(name = "--doctor")
        private boolean doctor;

        @Option(name = ServerLog.PROVE)
        private String prove;

        @Option(name = ServerLog.WAIT, handler = DurationHandler.class)
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
        return List.of(plan, common, check, watch.page, watch, part, cluster);
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
}
