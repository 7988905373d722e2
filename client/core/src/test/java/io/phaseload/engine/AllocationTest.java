package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import io.phaseload.measure.Interval;
import io.phaseload.plan.EngineSettings;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What users' threads allocate for a request, once their code is compiled. It is looked at between
 * two ticks, for what a tick costs has nothing to do with requests.
 */
@Tag("contract")
@Timeout(90)
class AllocationTest {

    private static final int USERS = 8;
    private static final int REQUESTS = 5_000;

    /** In a row, so that none is a happy chance. */
    private static final int ENOUGH = 3;

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<Long> perRequest = new ArrayList<>();
    private volatile int ticks;
    private long[] users;
    private int tickAtStart = -1;
    private long requestsAtStart;
    private long bytesAtStart;
    private int inARow;

    private final long limit = TestEngine.settings().equals(EngineSettings.THREADS) ? 1_500 : 200;
    private Engine engine;

    @Test
    void isLittle() throws IOException {
        assumeThat(threads.isThreadAllocatedMemorySupported()).isTrue();
        RunListener ticking =
                new RunListener() {
                    @Override
                    public void interval(Interval interval) {
                        ticks++;
                    }
                };
        try (TerseServer server = new TerseServer(this::look)) {
            Plan plan =
                    Plan.builder(server.uri())
                            .threads(USERS)
                            .operations(Operation.get("/"))
                            .phases(new Phase("steady", 1, new PhaseLength.Lasting(LONGEST)))
                            .build();
            engine = TestEngine.of(plan, ticking);
            engine.run();
        }
        System.out.printf(
                "%s: bytes allocated for a request, in turns of %,d: %s%n",
                TestEngine.settings(), REQUESTS, perRequest);
        assertThat(inARow).as("bytes for a request: %s", perRequest).isEqualTo(ENOUGH);
    }

    /** In the server's thread: what was allocated for the last so many requests. */
    private void look(long requests) {
        if (inARow == ENOUGH) {
            return;
        }
        if (tickAtStart != ticks) {
            begin(requests);
        } else if (requests >= requestsAtStart + REQUESTS) {
            long each = (allocated() - bytesAtStart) / (requests - requestsAtStart);
            if (tickAtStart == ticks) {
                perRequest.add(each);
                inARow = each <= limit ? inARow + 1 : 0;
                if (inARow == ENOUGH) {
                    engine.stop();
                }
            }
            begin(requests);
        }
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
