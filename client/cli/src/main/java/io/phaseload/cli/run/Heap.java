package io.phaseload.cli.run;

import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Whether the JVM's heap can hold a plan's users. A JVM that is short of memory spends half a minute on collections
 * before it gives up, so this is checked before a run starts.
 *
 * <p>Runs over HTTP/1.1 were measured to need 19 MiB and 10 KiB a user on threads, platform or virtual, or 3 KiB on
 * event loops (JDK 17 and 25, G1 and serial collector); about 80 KiB with {@code --client httpclient --pool user}. The
 * limits here are somewhat below that, so that no run is refused that would work.
 */
public final class Heap {

    private static final long MIB = 1 << 20;
    private static final long BASE = 18 * MIB;
    private static final long OF_A_THREAD = 7 << 10;

    /** With a pool of each user's own. */
    private static final long OF_A_POOL = 64 << 10;

    private static final long ON_A_LOOP = 5 << 9;
    private static final long OF_A_SHARED_CONNECTION = 1 << 10;

    /** The heap that is suggested, as a multiple of the least: enough to collect rarely. */
    private static final int AMPLE = 2;

    private Heap() {}

    /**
     * Says that a heap is too small.
     *
     * @param plans of the runs that follow one another, at least one; the largest of them counts
     * @param heap its limit in bytes
     * @return one line, which says what to do; empty if they may work
     */
    static Optional<String> tooSmall(List<Plan> plans, long heap) {
        Plan largest = plans.stream().max(Comparator.comparing(Heap::least)).orElseThrow();
        long least = least(largest);
        if (heap >= least) {
            return Optional.empty();
        }
        return Optional.of(("phaseload: a heap of %d MB is too small for %d users: start java with -Xmx%dm, or"
                        + " use fewer users (-c)")
                .formatted(heap / MIB, users(largest), AMPLE * (least / MIB + 1)));
    }

    /**
     * Says so if this JVM's heap is too small.
     *
     * @param plans of the runs that follow one another, at least one
     * @param err gets the line that says what to do
     * @return true if it is
     */
    public static boolean isTooSmall(List<Plan> plans, PrintStream err) {
        Optional<String> tooSmall = tooSmall(plans, Runtime.getRuntime().maxMemory());
        tooSmall.ifPresent(err::println);
        return tooSmall.isPresent();
    }

    private static long least(Plan plan) {
        return BASE + users(plan) * perUser(plan.engine());
    }

    private static long perUser(EngineSettings engine) {
        if (engine.name().equals(EngineSettings.THREADS.name())) {
            boolean pools =
                    engine.client().filter(any -> any.pool().total().isEmpty()).isPresent();
            return pools ? OF_A_POOL : OF_A_THREAD;
        }
        return engine.protocol().usersPerConnection() > 1 ? OF_A_SHARED_CONNECTION : ON_A_LOOP;
    }

    private static int users(Plan plan) {
        return plan.phases().stream().mapToInt(plan::users).max().orElse(0);
    }
}
