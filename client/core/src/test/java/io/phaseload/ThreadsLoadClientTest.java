package io.phaseload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.phaseload.engine.CountingServer;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.RunListener;
import io.phaseload.verdict.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The library from its front door. */
@Timeout(60)
class ThreadsLoadClientTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @Test
    void aRunReturnsAResult() {
        Plan plan = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(20)
                .iterations(100)
                .build();

        Result result = ThreadsLoadClient.of(plan).run();

        assertThat(result.plan()).isSameAs(plan);
        assertThat(result.totals().requests()).isEqualTo(7_400).isEqualTo(server.requests());
        assertThat(result.totals().succeeded()).isEqualTo(7_400);
        assertThat(result.totals().failed()).isZero();
        assertThat(result.totals().failures()).isEmpty();
        assertThat(result.totals().response().samples()).isEqualTo(7_400);
        Latency response = result.totals().response();
        assertThat(response.p99().value().orElseThrow())
                .isBetween(
                        response.p50().value().orElseThrow(),
                        response.max().value().orElseThrow());
        assertThat(result.totals().slip().max()).isEqualTo(new Measured(Duration.ZERO));
        assertThat(result.phases())
                .extracting(PhaseResult::name)
                .containsExactly("warmup", "loading", "peak", "cooldown");
        assertThat(result.phases().get(2).operations())
                .extracting(PhaseResult.OperationResult::name)
                .containsExactly("GET /", "POST /");
        assertThat(result.interrupted()).isFalse();
        assertThat(result.fault()).isEmpty();
        assertThat(result.verdict().status()).isNotEqualTo(Verdict.Status.INVALID);
    }

    @Test
    void aGateDelaysTheStartOfEachPhase() {
        List<Long> sentBefore = new ArrayList<>();
        Plan plan = Plan.builder(server.uri()).threads(20).iterations(1).build();

        Result result = ThreadsLoadClient.of(plan).run(phase -> {
            sentBefore.add(server.requests());
            return CompletableFuture.completedFuture(null);
        });

        assertThat(result.totals().requests()).isEqualTo(37);
        assertThat(sentBefore).containsExactly(0L, 2L, 12L, 32L);
    }

    @Test
    void closingEndsARunFromAnyThread() {
        AtomicReference<ThreadsLoadClient> client = new AtomicReference<>();
        server.beforeAnswer(number -> {
            if (number == 100) {
                client.get().close();
                client.get().close();
            }
        });
        client.set(ThreadsLoadClient.of(endless()));

        Result result = client.get().run();

        assertThat(result.interrupted()).isTrue();
        assertThat(result.totals().requests()).isEqualTo(server.requests());
        assertThat(result.verdict().status()).isEqualTo(Verdict.Status.SUSPECT);
        assertThat(result.verdict().texts())
                .contains("The run was interrupted, so phases are incomplete or missing. Run it to"
                        + " its end for complete figures.");
        PhaseResult peak = result.phases().get(0);
        assertThat(peak.notSent())
                .containsExactly(
                        Map.entry("interrupted", peak.asked() - peak.figures().requests()));
    }

    @Test
    void aClosedClientSendsNothing() {
        Result result;
        try (ThreadsLoadClient client = ThreadsLoadClient.of(endless())) {
            client.close();

            result = client.run();
        }

        assertThat(server.requests()).isZero();
        assertThat(result.interrupted()).isTrue();
        assertThat(result.totals().requests()).isZero();
        assertThat(result.totals().response().mean().value()).isEmpty();
        assertThat(result.phases().get(0).startedAt()).isEmpty();
    }

    /** What an interrupted thread still has to do is done as by any other: look around, and save. */
    @Test
    void anInterruptReturnsACompleteResultAndKeepsTheFlag(@TempDir Path folder) throws Exception {
        Result other = ThreadsLoadClient.of(small()).run();
        Thread.currentThread().interrupt();

        Result result = ThreadsLoadClient.of(small()).run();
        ResultFolder.create(folder, result.startedAt(), "run").write(result);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.interrupted()).isTrue();
        assertThat(result.environment()).isEqualTo(other.environment());
    }

    @Test
    void aClientRunsOnlyOnce() {
        ThreadsLoadClient client = ThreadsLoadClient.of(small());
        client.run();

        assertThatIllegalStateException().isThrownBy(client::run);
    }

    @Test
    void aClientFaultMakesTheResultInvalid() {
        RunListener listener = new RunListener() {
            @Override
            public void phaseFinished(Phase phase, Duration wall) {
                throw new IllegalStateException("no more paper");
            }
        };

        Result result = ThreadsLoadClient.of(small(), listener).run();

        assertThat(result.fault()).contains("java.lang.IllegalStateException: no more paper");
        assertThat(result.verdict().status()).isEqualTo(Verdict.Status.INVALID);
        assertThat(result.verdict().texts()).contains("The client itself failed: no more paper");
        assertThat(result.interrupted()).isFalse();
        assertThat(result.totals().requests()).isEqualTo(server.requests()).isPositive();
    }

    private Plan small() {
        return Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(1)
                .iterations(1)
                .build();
    }

    private Plan endless() {
        return Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(4)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(1_000_000_000)))
                .build();
    }
}
