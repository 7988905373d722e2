package io.phaseload.health;

import io.phaseload.health.Verdict.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What of the client's health speaks against the figures of a phase. */
final class HealthRules {

    /** Shorter phases end before a share of their time means anything. */
    static final Duration LEAST_WALL = Duration.ofSeconds(1);

    /** Where peers warn, too: k6's guide, Hyperfoil's watchdog. */
    private static final double MAX_CPU_SHARE = 0.80;

    private static final double MAX_GC_SHARE = 0.05;

    /** A p99 looks at 1 % of the samples: what the client lost for longer can make all of them. */
    private static final double MAX_LOST_SHARE = 0.01;

    /** With less idle time than this, whoever has something to do waits for a CPU. */
    private static final double MIN_IDLE_SHARE = 0.05;

    /**
     * A target on the client's machine may take as much as the client. What takes more than that
     * takes it from both.
     */
    private static final double MAX_OTHERS_SHARE = 0.5;

    /** Clouds warn from here on; a hypervisor's own work is below it. */
    private static final double MAX_STOLEN_SHARE = 0.05;

    /** From here on it is the client that a tail tells of, rather than the target. */
    private static final double MAX_TAIL_SHARE = 0.5;

    /**
     * Half of what the slowest 1 % take. A single stall of some milliseconds touches all users that
     * happen to send at once, on the best of machines.
     */
    private static final double LEAST_STALLED_SHARE = 0.005;

    /** The part of a request's time that a wait for a CPU may have. */
    private static final double MAX_RUN_QUEUE_SHARE = 0.33;

    /** Threads that take turns on their own wait for less; a neighbour's time slice is longer. */
    private static final Duration LEAST_RUN_QUEUE_WAIT = Duration.ofNanos(200_000);

    /** A tenth of the time with a sleeper that wakes up late: nobody runs when he wants to. */
    private static final double MAX_STALLED_SHARE = 0.10;

    private static final double MAX_LAG_SHARE = 0.10;

    private final PhaseHealth phase;
    private final List<Reason> reasons = new ArrayList<>();

    private HealthRules(PhaseHealth phase) {
        this.phase = phase;
    }

    /** The reasons, in the order in which they were found; none if nothing speaks against it. */
    static List<Reason> judge(PhaseHealth phase) {
        HealthRules rules = new HealthRules(phase);
        rules.stopped();
        if (phase.counts() && !isShort(phase)) {
            rules.shares();
        }
        phase.usersTime().ifPresent(time -> rules.reasons.addAll(UsersRules.tookPart(phase, time)));
        return rules.reasons;
    }

    /** Whether a phase has something that would be a warning if it had lasted for longer. */
    static boolean tooShort(PhaseHealth phase) {
        HealthRules rules = new HealthRules(phase);
        rules.shares();
        return phase.counts() && isShort(phase) && !rules.reasons.isEmpty();
    }

    private static boolean isShort(PhaseHealth phase) {
        return phase.wall().compareTo(LEAST_WALL) < 0;
    }

    private void shares() {
        withheld();
        used();
        crowded();
        late();
        boolean client = !reasons.isEmpty();
        phase.usersTime().ifPresent(time -> reasons.addAll(UsersRules.judge(phase, time)));
        phase.offered().ifPresent(load -> reasons.addAll(OfferedRules.judge(phase, load, client)));
    }

    private void stopped() {
        Duration stopped = phase.client().stalls().stopped();
        Duration suspended = phase.client().system().suspended().orElse(Duration.ZERO);
        if (share(stopped) > MAX_LOST_SHARE) {
            add(
                    "stopped",
                    "the client was stopped for %.1f s (by a signal such as Ctrl-Z, or with its"
                            + " machine). Run it again without a stop.",
                    seconds(stopped));
        }
        if (share(suspended) > MAX_LOST_SHARE) {
            add(
                    "suspended",
                    "the client's machine was suspended for %.1f s. Run it again on one that stays"
                            + " awake.",
                    seconds(suspended));
        }
    }

    private void withheld() {
        SystemUse system = phase.client().system();
        Duration throttled = system.throttled().orElse(Duration.ZERO);
        if (share(throttled) > MAX_LOST_SHARE) {
            add(
                    "throttled",
                    "the CPU limit of the client's control group (container) kept it from running"
                            + " for %.1f s. Raise the limit, or use fewer users or a lower rate.",
                    seconds(throttled));
        }
        double stolen = system.stolen().orElse(0.0);
        if (stolen > MAX_STOLEN_SHARE) {
            add(
                    "stolen",
                    "the hypervisor gave %.0f %% of the client machine's CPU time to others"
                            + " (steal). Use a machine with CPUs of its own.",
                    stolen * 100);
        }
    }

    private void used() {
        ClientLoad load = phase.client().load();
        if (load.cpuShare() > MAX_CPU_SHARE) {
            add(
                    "cpu",
                    "the client's process used %.0f %% of %d cores; times include waiting for the"
                            + " CPU. Use fewer users, a lower rate, or more cores.",
                    load.cpuShare() * 100,
                    load.cores());
        }
        if (load.gcShare() > MAX_GC_SHARE) {
            add(
                    "gc",
                    "the client spent %.0f %% of the time in GC pauses. Give it more memory, such"
                            + " as -Xmx2g.",
                    load.gcShare() * 100);
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
            add(
                    "crowded",
                    "other processes used %.0f %% of the CPU time of the client's machine, and"
                            + " %.0f %% was idle; requests waited for a CPU. Stop what else runs on"
                            + " it, or use another machine.",
                    others * 100,
                    idle.get() * 100);
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
            add(
                    "run-queue",
                    "the client's threads waited %.1f ms for a CPU each time they had something to"
                            + " do, and half of the requests took less than %.1f ms. Stop what else runs on its machine,"
                            + " or use fewer users or more cores.",
                    seconds(wait) * 1_000,
                    seconds(phase.medianService()) * 1_000);
        }
        if (share(stalled) > MAX_STALLED_SHARE) {
            add(
                    "stalls",
                    "the client couldn't run for %.0f %% of the time: %d stalls of up to %.0f ms."
                            + " Stop what else runs on its machine, or use more cores.",
                    share(stalled) * 100,
                    client.stalls().count(),
                    seconds(client.stalls().longest()) * 1_000);
        }
        if (lag > MAX_LAG_SHARE) {
            add(
                    "loop-lag",
                    "an event loop was late by up to %.0f ms, and for %.0f %% of the time. Use"
                            + " fewer users, a lower rate, or more --loops on more cores.",
                    seconds(client.loopLag().longest()) * 1_000,
                    Math.min(100, lag * 100));
        }
        Tail tail = phase.tail();
        if (tail.share() > MAX_TAIL_SHARE && share(stalled) > LEAST_STALLED_SHARE) {
            add(
                    "tail",
                    "%.0f %% of the requests above p%d overlap a stall of the client, so that it is"
                            + " the client's as much as the target's. Stop what else runs on its"
                            + " machine, or use more cores.",
                    tail.share() * 100,
                    tail.percentile());
        }
    }

    private void add(String id, String pattern, Object... values) {
        reasons.add(reason(phase, id, Status.SUSPECT, pattern, values));
    }

    /** A reason that begins with the phase's name. */
    static Reason reason(
            PhaseHealth phase, String id, Status severity, String pattern, Object... values) {
        String text = String.format(Locale.ROOT, pattern, values);
        return new Reason(id, severity, phase.phase() + ": " + text);
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
