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

/** What in the client's health speaks against a phase's figures. */
public final class HealthRules {

    /** Shorter phases end before a share of their time means anything. */
    static final Duration LEAST_WALL = Duration.ofSeconds(1);

    /** As k6's guide and Hyperfoil's watchdog have it. */
    private static final double MAX_CPU_SHARE = 0.80;

    private static final double MAX_GC_SHARE = 0.05;

    /**
     * A p99 is about 1 % of the samples: time lost for longer than that can explain all of them.
     */
    private static final double MAX_LOST_SHARE = 0.01;

    /** With less idle time than this, a thread that has something to do waits for a CPU. */
    private static final double MIN_IDLE_SHARE = 0.05;

    /**
     * A target on the client's machine may take as much as the client. What takes more than that
     * takes it from both.
     */
    private static final double MAX_OTHERS_SHARE = 0.5;

    /** Clouds warn from here on; a hypervisor's own work is below it. */
    private static final double MAX_STOLEN_SHARE = 0.05;

    /** From here on a tail describes the client rather than the target. */
    private static final double MAX_TAIL_SHARE = 0.5;

    /**
     * Half of what the slowest 1 % take. A single stall of some milliseconds affects all users that
     * happen to send at once, on the best of machines.
     */
    private static final double LEAST_STALLED_SHARE = 0.005;

    /** The part of a request's time that a wait for a CPU may have. */
    private static final double MAX_RUN_QUEUE_SHARE = 0.33;

    /** Threads that take turns on their own wait for less; a neighbour's time slice is longer. */
    private static final Duration LEAST_RUN_QUEUE_WAIT = Duration.ofNanos(200_000);

    /**
     * A tenth of the time with a sleeper that wakes up late: threads don't run when they should.
     */
    private static final double MAX_STALLED_SHARE = 0.10;

    private static final double MAX_LAG_SHARE = 0.10;

    private final PhaseHealth phase;
    private final List<Finding> findings = new ArrayList<>();

    private HealthRules(PhaseHealth phase) {
        this.phase = phase;
    }

    /**
     * A verdict with a finding for each thing in the client's health that speaks against the
     * figures. Of phases that took less than a second there is a remark in its place.
     *
     * @param verdict what is known so far
     * @param phases each phase that was run
     * @return at least SUSPECT if there is such a thing
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
                : judged.and(
                        Rule.TOO_SHORT.finding(
                                tooShort.stream().distinct().collect(Collectors.joining(", "))));
    }

    /** The findings, in the order in which they were found; none if nothing speaks against it. */
    static List<Finding> judge(PhaseHealth phase) {
        HealthRules rules = new HealthRules(phase);
        rules.stopped();
        if (phase.counts() && !isShort(phase)) {
            rules.shares();
        }
        phase.usersTime()
                .ifPresent(time -> rules.findings.addAll(UsersRules.tookPart(phase, time)));
        return rules.findings;
    }

    /** Whether a phase has something that would be a warning if it had lasted for longer. */
    static boolean tooShort(PhaseHealth phase) {
        HealthRules rules = new HealthRules(phase);
        rules.shares();
        return phase.counts() && isShort(phase) && !rules.findings.isEmpty();
    }

    private static boolean isShort(PhaseHealth phase) {
        return phase.wall().compareTo(LEAST_WALL) < 0;
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
        // A request waits at least once: for its thread to get a CPU when the response is there.
        if (wait.compareTo(LEAST_RUN_QUEUE_WAIT) > 0
                && ratio(wait, phase.medianService()) > MAX_RUN_QUEUE_SHARE) {
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
            add(
                    Rule.LOOP_LAG,
                    seconds(client.loopLag().longest()) * 1_000,
                    Math.min(100, lag * 100));
        }
        Tail tail = phase.tail();
        if (tail.share() > MAX_TAIL_SHARE && share(stalled) > LEAST_STALLED_SHARE) {
            add(Rule.TAIL, tail.share() * 100, tail.percentile());
        }
    }

    private void add(Rule rule, Object... evidence) {
        findings.add(rule.in(phase.phase(), evidence));
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
