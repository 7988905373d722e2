package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.threads.ThreadEngine;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is true of threads alone. */
@Timeout(60)
class ThreadEngineTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    /**
     * The server answers one request at a time, so while it looks at the client's threads at a phase's first request,
     * no user can have ended; those that are missing haven't been there.
     */
    @Test
    void noRequestIsSentBeforeAllThreadsHaveStarted() {
        // Two requests a user: how many there are before each phase.
        Set<Integer> before = Set.of(0, 40, 240, 640);
        List<String> threads = new ArrayList<>();
        List<Integer> threadsAtFirstRequest = new ArrayList<>();
        AtomicInteger arrived = new AtomicInteger();
        server.beforeAnswer(number -> {
            synchronized (arrived) {
                if (before.contains(arrived.getAndIncrement())) {
                    threads.addAll(ClientThreads.users());
                    threadsAtFirstRequest.add(ClientThreads.users().size());
                }
            }
        });
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(200)
                .iterations(1)
                .build();

        new ThreadEngine().create(plan, RunListener.NONE).run();

        assertThat(threadsAtFirstRequest).containsExactly(20, 100, 200, 50);
        assertThat(threads)
                .doesNotHaveDuplicates()
                .contains("phaseload-warmup-1", "phaseload-loading-100", "phaseload-peak-200");
    }
}
