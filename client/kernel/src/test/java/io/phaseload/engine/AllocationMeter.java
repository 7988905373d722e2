package io.phaseload.engine;

import com.sun.management.ThreadMXBean;
import io.phaseload.measure.Interval;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.RunListener;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds out what users' threads allocate for a request, once their code is compiled. It looks at them between two
 * ticks, for what a tick costs has nothing to do with requests.
 */
public final class AllocationMeter {

    private static final int REQUESTS = 5_000;

    /** In a row, so that none is a coincidence. */
    private static final int ENOUGH = 3;

    private static final int SHOWN = 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<Long> perRequest = new ArrayList<>();
    private final long limit;
    private volatile Engine engine;
    private volatile int ticks;
    private long[] users;
    private int tickAtStart = -1;
    private long requestsAtStart;
    private long bytesAtStart;
    private int inARow;

    /**
     * Begins.
     *
     * @param engine whose limit is to be kept; if it is often enough, the run is stopped
     */
    public AllocationMeter(EngineSettings engine) {
        this.limit = limit(engine);
    }

    /**
     * Of event loops on NIO, whose selector makes objects, and from JDK 24 on, where Netty finds the address of a
     * buffer by means of some that C2 does away with sooner or later, it is more. C1 alone keeps those of HTTP/2.
     */
    private static long limit(EngineSettings engine) {
        if (engine.equals(EngineSettings.THREADS)) {
            return 1_500;
        }
        if (engine.protocol() instanceof Protocol.Http2
                && ManagementFactory.getRuntimeMXBean().getInputArguments().contains("-XX:TieredStopAtLevel=1")) {
            return 750;
        }
        boolean lean = !engine.transport().equals(Optional.of("nio"));
        return lean && Runtime.version().feature() < 24 ? 200 : 300;
    }

    /** Whether this JVM tells what a thread allocates. */
    public boolean supported() {
        return threads.isThreadAllocatedMemorySupported();
    }

    /** Hears of ticks. */
    public RunListener listener() {
        return new RunListener() {
            @Override
            public void interval(Interval interval) {
                ticks++;
            }
        };
    }

    /** Runs what is measured, until the limit was kept often enough or the run ends. */
    public void run(Engine measured) {
        engine = measured;
        measured.run();
    }

    /** In the server's thread: so many requests have arrived. */
    public void look(long requests) {
        if (isKept()) {
            return;
        }
        if (tickAtStart != ticks) {
            begin(requests);
        } else if (requests >= requestsAtStart + REQUESTS) {
            long each = (allocated() - bytesAtStart) / (requests - requestsAtStart);
            if (tickAtStart == ticks) {
                perRequest.add(each);
                inARow = each <= limit ? inARow + 1 : 0;
                if (isKept()) {
                    engine.stop();
                }
            }
            begin(requests);
        }
    }

    /** Whether the limit was kept; for after the run. */
    public boolean isKept() {
        return inARow == ENOUGH;
    }

    /** Bytes a request, in the last turns. */
    @Override
    public String toString() {
        int first = Math.max(0, perRequest.size() - SHOWN);
        return "bytes allocated for a request, in the last turns of %,d: %s"
                .formatted(REQUESTS, perRequest.subList(first, perRequest.size()));
    }

    private void begin(long requests) {
        tickAtStart = ticks;
        requestsAtStart = requests;
        bytesAtStart = allocated();
    }

    private long allocated() {
        if (users == null) {
            users = ClientThreads.userIds();
        }
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(users)) {
            sum += bytes;
        }
        return sum;
    }
}
