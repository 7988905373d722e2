package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.HttpClientSettings;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapTest {

    private static boolean isRefused(String engine, int users, int megabytes) {
        return Heap.tooSmall(List.of(plan(engine, users, 1)), (long) megabytes << 20)
                .isPresent();
    }

    private static Plan plan(String engine, int users, double share) {
        return Plan.builder(URI.create("http://127.0.0.1/"))
                .threads(users)
                .engine(EngineSettings.of(engine))
                .phases(new Phase("peak", share, new PhaseLength.Iterations(1)))
                .build();
    }

    /** The smallest heaps in which runs were seen to work. */
    @ParameterizedTest
    @CsvSource({
        "threads, 10, 20",
        "threads, 1000, 30",
        "threads, 4000, 61",
        "events, 10, 20",
        "events, 1000, 23",
        "events, 4000, 32"
    })
    void aHeapThatWorksIsNotRefused(String engine, int users, int megabytes) {
        assertThat(isRefused(engine, users, megabytes)).isFalse();
        assertThat(isRefused(engine, users, megabytes / 2)).isTrue();
    }

    /** Runs that ended out of memory after seconds. */
    @ParameterizedTest
    @CsvSource({"threads, 2000, 20", "events, 1000, 20", "events, 2000, 20", "events, 4000, 27"})
    void aHeapThatDoesNotWorkIsRefused(String engine, int users, int megabytes) {
        assertThat(isRefused(engine, users, megabytes)).isTrue();
    }

    /** Of 1,000 such users 88 MiB were in use after a collection, half of them with a connection. */
    @Test
    void aPoolForEachUserTakesMore() {
        EngineSettings.Builder engine = EngineSettings.builder("threads");
        engine.client(HttpClientSettings.DEFAULT.with(ConnectionPool.DEFAULT.perUser()));
        Plan plan = Plan.builder(URI.create("http://127.0.0.1/"))
                .threads(1_000)
                .engine(engine.build())
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(1)))
                .build();

        assertThat(Heap.tooSmall(List.of(plan), 70 << 20)).isPresent();
        assertThat(Heap.tooSmall(List.of(plan), 88 << 20)).isEmpty();
    }

    @Test
    void theLargestPlanCounts() {
        List<Plan> plans = List.of(plan("threads", 10, 1), plan("threads", 2_000, 1), plan("events", 2_000, 1));
        assertThat(Heap.tooSmall(plans, 20 << 20)).get().asString().contains("for 2000 users: ");
        assertThat(Heap.tooSmall(plans.subList(0, 1), 20 << 20)).isEmpty();
    }

    @Test
    void thePhaseWithTheMostUsersCounts() {
        long heap = 20 << 20;
        assertThat(Heap.tooSmall(List.of(plan("threads", 2_000, 0.01)), heap)).isEmpty();
        assertThat(Heap.tooSmall(List.of(plan("threads", 2_000, 1)), heap))
                .contains("phaseload: a heap of 20 MB is too small for 2000 users: start java with"
                        + " -Xmx64m, or use fewer users (-c)");
    }
}
