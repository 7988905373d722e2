package io.phaseload.cli.decide;

import io.phaseload.capacity.Objective;
import io.phaseload.capacity.Search;
import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.command.Checked;
import io.phaseload.cli.run.CommonOptions;
import io.phaseload.cli.run.PlanOptions;
import io.phaseload.cli.watch.LiveOptions;
import io.phaseload.options.DurationHandler;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.PercentHandler;
import io.phaseload.options.UsageException;
import io.phaseload.schedule.Rate;
import io.phaseload.settings.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.kohsuke.args4j.Option;

/** The options of {@code capacity}: those of {@code run}, but for what it searches, and its own. */
public final class CapacityOptions implements MoreOptions {

    private static final String USERS = "users";
    private static final String DEFAULT_RATE = "20/s";

    /** A step that confirms is longer. */
    private static final int CONFIRMING = 2;

    private static final double MOST_RATE = 1e7;
    private static final double MOST_USERS = 1e6;

    /** An hour of steps reaches no narrower interval. */
    private static final double LEAST_PRECISION = 1;

    private static final double MOST_PRECISION = 50;

    final CommonOptions common = new CommonOptions();

    final PlanOptions plan = new PlanOptions(Set.of(
            Setting.RATE,
            Setting.DURATION,
            Setting.PHASES,
            Setting.NAME,
            "iterations",
            "total",
            "changes",
            "thresholds"));

    final LiveOptions page = new LiveOptions();

    final ClusterOptions cluster = new ClusterOptions();

    @Option(name = "--slo")
    String slo;

    @Option(name = "--search")
    String search = "rate";

    @Option(name = "--from")
    String from;

    @Option(name = "--up-to")
    String upTo;

    @Option(name = "--step", handler = DurationHandler.class)
    Duration step = Duration.ofSeconds(20);

    @Option(name = "--precision", handler = PercentHandler.class)
    Double precision = 5.0;

    @Option(name = "--budget", handler = DurationHandler.class)
    Duration budget = Duration.ofMinutes(15);

    @Option(name = "--name")
    String name = "capacity";

    @Override
    public List<?> more() {
        return List.of(common, page, plan, cluster);
    }

    boolean users() {
        return search.equals(USERS);
    }

    /** The conditions that must hold. */
    List<Objective> objectives() {
        UsageException.throwIf(slo == null, "capacity: expected --slo, such as --slo 'p99 < 250ms, failures < 0.1%'");
        return Checked.value("--slo", "'" + slo + "'", shown -> Objective.parse(slo), "thresholds");
    }

    /**
     * The search.
     *
     * @param agents that there are; 0 if this JVM sends the load
     */
    Search search(int agents) {
        UsageException.throwIf(!users() && !search.equals("rate"), "--search %s: expected rate or users", search);
        if (precision < LEAST_PRECISION || precision > MOST_PRECISION) {
            throw new UsageException("--precision %s%%: expected 1%% to 50%%", precision);
        }
        UsageException.throwIf(
                users() && !plan.texts(Setting.THREADS).isEmpty(),
                "-c cannot be combined with --search users, which searches it");
        double start =
                from == null ? users() ? Math.max(1, agents) : load("--from", DEFAULT_RATE) : load("--from", from);
        double most = upTo == null ? users() ? MOST_USERS : MOST_RATE : load("--up-to", upTo);
        if (start > most) {
            throw new UsageException("--up-to %s: expected at least the first load, %s"
                    .formatted(upTo, from == null ? users() ? "1" : DEFAULT_RATE : from));
        }
        double seconds = step.toMillis() / 1e3;
        if (budget.compareTo(step.multipliedBy(1 + CONFIRMING)) < 0) {
            throw new UsageException("--budget %ds: expected at least %d s, three times --step"
                    .formatted(budget.toSeconds(), (1 + CONFIRMING) * step.toSeconds()));
        }
        return new Search(start, most, users(), precision / 100, agents, seconds, CONFIRMING * seconds);
    }

    private double load(String option, String text) {
        if (!users()) {
            Rate rate = Checked.value(option, text, Rate::parse, "a rate such as 20/s");
            return rate.events() / (double) rate.per().toSeconds();
        }
        UsageException.throwIf(!text.matches("[1-9][0-9]{0,5}"), "%s %s: expected a number of users", option, text);
        return Integer.parseInt(text);
    }
}
