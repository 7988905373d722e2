package io.phaseload.verdict.rules;

import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.health.SystemUse;
import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds what in the client's health casts doubt on a phase's figures. */
public final class HealthRules {

    /** In shorter phases, shares of the time mean little. */
    static final Duration LEAST_WALL = Duration.ofSeconds(1);

    /** The same limit as in k6's guide and in Hyperfoil's watchdog. */
    private static final double MAX_CPU_SHARE = 0.80;

    private static final double MAX_GC_SHARE = 0.05;

    /** A p99 is about 1 % of the samples: if more time than that was lost, it can explain all of them. */
    private static final double MAX_LOST_SHARE = 0.01;

    /** With less idle time than this, runnable threads wait for a CPU. */
    private static final double MIN_IDLE_SHARE = 0.05;

    /** A target on the client's machine may take as much as the client. More than that is taken from both. */
    private static final double MAX_OTHERS_SHARE = 0.5;

    /** Where clouds start to warn; a hypervisor's own work stays below. */
    private static final double MAX_STOLEN_SHARE = 0.05;

    /** From here on, a tail describes the client more than the target. */
    private static final double MAX_TAIL_SHARE = 0.5;

    /**
     * Half of the slowest 1 %. A single stall of a few milliseconds affects all users that happen to be sending, even
     * on the best machines.
     */
    private static final double LEAST_STALLED_SHARE = 0.005;

    /** The share of a request's time that may be a wait for a CPU. */
    private static final double MAX_RUN_QUEUE_SHARE = 0.33;

    /** Cooperating threads wait for less; another process's time slice is longer. */
    private static final Duration LEAST_RUN_QUEUE_WAIT = Duration.ofNanos(200_000);

    /** If the sleeping thread is late for a tenth of the time, threads don't run when they should. */
    private static final double MAX_STALLED_SHARE = 0.10;

    private static final double MAX_LAG_SHARE = 0.10;

    private final PhaseHealth phase;
    private final List<Finding> findings = new ArrayList<>();

    private HealthRules(PhaseHealth phase) {
        this.phase = phase;
    }

    /**
     * Adds a finding for everything in the client's health that casts doubt on the figures. For phases of less than a
     * second there is a remark instead.
     *
     * @param verdict the verdict so far
     * @param phases each phase that was run
     * @return at least SUSPECT if there is such a finding
     */
    public static Verdict judge(Verdict verdict, List<PhaseHealth> phases) {
        Verdict judged = verdict;
        List<String> tooShort = new ArrayList<>();
        for (PhaseHealth phase : phases) {
            for (Finding finding : judge(phase)) {
                judged = judged.and(finding);
            }
            if (tooShort(phase)) {
                tooShort.add(phase.phase());
            }
        }
        return tooShort.isEmpty()
                ? judged
                : judged.and(Rule.TOO_SHORT.finding(
                        Wording.REQUESTS, tooShort.stream().distinct().collect(Collectors.joining(", "))));
    }

    /** The findings, in order; empty if there is no doubt. */
    static List<Finding> judge(PhaseHealth phase) {
        HealthRules rules = new HealthRules(phase);
        rules.stopped();
        if (phase.counts() && !isShort(phase)) {
            rules.shares();
        }
        phase.usersTime().ifPresent(time -> rules.findings.addAll(UsersRules.tookPart(phase, time)));
        return rules.findings;
    }

    /** Whether a short phase has something that would be a finding if it had lasted longer. */
    static boolean tooShort(PhaseHealth phase) {
        HealthRules rules = new HealthRules(phase);
        rules.shares();
        return phase.counts() && isShort(phase) && !rules.findings.isEmpty();
    }

    private static boolean isShort(PhaseHealth phase) {
        return !isLongEnough(phase.wall());
    }

    /**
     * Whether shares of a phase's time mean something.
     *
     * @param wall the phase's length
     * @return {@code true} from a second on
     */
    public static boolean isLongEnough(Duration wall) {
        return wall.compareTo(LEAST_WALL) >= 0;
    }

    private void shares() {
        withheld();
        used();
        crowded();
        late();
        boolean client = !findings.isEmpty();
        phase.usersTime().ifPresent(time -> findings.addAll(UsersRules.judge(phase, time)));
        phase.offered().ifPresent(load -> findings.addAll(OfferedRules.judge(phase, load, client)));
    }

    private void stopped() {
        Duration stopped = phase.client().stalls().stopped();
        Duration suspended = phase.client().system().suspended().orElse(Duration.ZERO);
        if (share(stopped) > MAX_LOST_SHARE) {
            add(Rule.STOPPED, seconds(stopped));
        }
        if (share(suspended) > MAX_LOST_SHARE) {
            add(Rule.SUSPENDED, seconds(suspended));
        }
    }

    private void withheld() {
        SystemUse system = phase.client().system();
        Duration throttled = system.throttled().orElse(Duration.ZERO);
        if (share(throttled) > MAX_LOST_SHARE) {
            add(Rule.THROTTLED, seconds(throttled));
        }
        double stolen = system.stolen().orElse(0.0);
        if (stolen > MAX_STOLEN_SHARE) {
            add(Rule.STOLEN, stolen * 100);
        }
    }

    private void used() {
        ClientLoad load = phase.client().load();
        if (load.cpuShare() > MAX_CPU_SHARE) {
            add(Rule.CPU, load.cpuShare() * 100, load.cores());
        }
        if (load.gcShare() > MAX_GC_SHARE) {
            add(Rule.GC, load.gcShare() * 100);
        }
    }

    private void crowded() {
        Optional<Double> idle = phase.client().system().idle();
        if (idle.isEmpty() || idle.get() >= MIN_IDLE_SHARE) {
            return;
        }
        double stolen = phase.client().system().stolen().orElse(0.0);
        double others = 1 - idle.get() - stolen - phase.client().load().cpuShare();
        if (others > MAX_OTHERS_SHARE) {
            add(Rule.CROWDED, others * 100, idle.get() * 100);
        }
    }

    private void late() {
        ClientHealth client = phase.client();
        Duration wait = client.system().runQueue().map(RunQueueWait::mean).orElse(Duration.ZERO);
        Duration stalled = client.stalls().total().minus(client.stalls().stopped());
        double lag = ratio(client.loopLag().late(), phase.wall());
        // Every request waits for a CPU at least once: when the response has arrived.
        if (wait.compareTo(LEAST_RUN_QUEUE_WAIT) > 0 && ratio(wait, phase.medianService()) > MAX_RUN_QUEUE_SHARE) {
            add(Rule.RUN_QUEUE, seconds(wait) * 1_000, seconds(phase.medianService()) * 1_000);
        }
        if (share(stalled) > MAX_STALLED_SHARE) {
            add(
                    Rule.STALLS,
                    share(stalled) * 100,
                    client.stalls().count(),
                    seconds(client.stalls().longest()) * 1_000);
        }
        if (lag > MAX_LAG_SHARE) {
            add(Rule.LOOP_LAG, seconds(client.loopLag().longest()) * 1_000, Math.min(100, lag * 100));
        }
        Tail tail = phase.tail();
        if (tail.share() > MAX_TAIL_SHARE && share(stalled) > LEAST_STALLED_SHARE) {
            add(Rule.TAIL, tail.share() * 100, tail.percentile());
        }
    }

    private void add(Rule rule, Object... evidence) {
        findings.add(rule.in(phase.words(), phase.phase(), evidence));
    }

    private double share(Duration lost) {
        return ratio(lost, phase.wall());
    }

    private static double ratio(Duration part, Duration whole) {
        return whole.isZero() ? 0 : (double) part.toNanos() / whole.toNanos();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
