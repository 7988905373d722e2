package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.Measurement.Segment;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Load;
import io.phaseload.plan.LoadChange;
import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.LoadState;
import io.phaseload.run.RunListener;
import io.phaseload.run.Steering;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs whose load is changed while they go on, against a server that counts. */
@Tag("contract")
@Tag("users")
@Timeout(60)
class SteeringTest {

    private static final Load HUNDRED = new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE);

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    private final List<LoadEvent> heard = new ArrayList<>();
    private Engine engine;
    private CompletableFuture<Measurement> measured;

    @Test
    void requestsAfterAChangeOfRateAreDueWhenArithmeticSays() throws Exception {
        start(new Phase("peak", 1, new PhaseLength.Total(300), HUNDRED));

        LoadEvent faster = steer(Kind.RATE, "500/s");
        LoadState state = engine.steering().load().orElseThrow();
        PhaseMeasurement phase = measured.get().phases().get(0);

        long at = faster.change().at().toNanos();
        assertThat(due(phase))
                .containsExactlyElementsOf(LongStream.concat(
                                LongStream.range(0, 300)
                                        .map(k -> k * 10_000_000)
                                        .filter(of -> of < at),
                                LongStream.range(0, 300).map(k -> at + k * 2_000_000))
                        .limit(300)
                        .boxed()
                        .toList());
        assertThat(server.requests()).isEqualTo(300);
        assertThat(state).isEqualTo(new LoadState("peak", true, "500/s", false));
        assertThat(loads(phase)).isEqualTo("100/s, 500/s");
        assertThat(phase.segments().stream()
                        .mapToLong(of -> of.requests().requests())
                        .sum())
                .isEqualTo(300);
        assertThat(faster.from()).isEqualTo("100/s");
        assertThat(measured.get().changes()).containsExactly(faster).isEqualTo(heard);
    }

    /** What was changed by hand, and then by the plan. */
    @Test
    void aPauseIsRepeatedByThePlan() throws Exception {
        Phase peak = new Phase("peak", 1, new PhaseLength.Total(100), HUNDRED);
        start(peak);
        LoadEvent pause = steer(Kind.PAUSE, "");
        assertThatThrownBy(() -> steer(Kind.PAUSE, "")).hasMessage("pause: phase peak is paused");
        LoadEvent resume = steer(Kind.RESUME, "");
        PhaseMeasurement byHand = measured.get().phases().get(0);

        engine = TestEngine.of(
                builder(peak).change(pause.change()).change(resume.change()).build(), RunListener.NONE);
        Measurement again = engine.run();

        assertThat(due(byHand)).hasSize(100).contains(resume.change().at().toNanos());
        assertThat(due(again.phases().get(0))).isEqualTo(due(byHand));
        assertThat(again.changes()).extracting(LoadEvent::origin).containsOnly("plan");
    }

    @Test
    void usersAreAddedAndPaused() throws Exception {
        CountDownLatch six = new CountDownLatch(6);
        CountDownLatch added = new CountDownLatch(1);
        server.beforeAnswer(number -> {
            six.countDown();
            // Two are in flight until four more have sent.
            await(six.getCount() <= 4 && added.getCount() > 0 ? added : new CountDownLatch(0));
        });
        start(new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofMinutes(10))));

        steer(Kind.USERS, "6");
        six.await();
        added.countDown();
        LoadEvent fewer = steer(Kind.USERS, "1");
        steer(Kind.NEXT, "");
        PhaseMeasurement phase = measured.get().phases().get(0);

        assertThat(fewer.from()).isEqualTo("6");
        assertThat(phase.users()).isEqualTo(2);
        assertThat(phase.client().usersTime().orElseThrow().users()).isEqualTo(6);
        assertThat(phase.client().usersTime().orElseThrow().tookPart()).isEqualTo(6);
        assertThat(loads(phase)).startsWith("2, 6");
        assertThat(sent(phase)).isEqualTo(server.requests());
    }

    @Test
    void theNextPhaseBegins() throws Exception {
        start(
                new Phase("warmup", 1, new PhaseLength.Lasting(Duration.ofMinutes(10))),
                new Phase("peak", 1, new PhaseLength.Iterations(1_000_000)),
                new Phase("cooldown", 1, new PhaseLength.Iterations(3)));

        steer(Kind.NEXT, "");
        while (engine.steering().load().filter(of -> of.phase().equals("peak")).isEmpty()) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> steer(Kind.USERS, "9")).hasMessageContaining("phase peak has a number of iterations");
        steer(Kind.NEXT, "");
        Measurement whole = measured.get();

        assertThat(whole.phases().get(0).notSent()).isEmpty();
        assertThat(whole.phases().get(1).notSent()).containsOnlyKeys("skipped");
        assertThat(whole.phases().get(1).asked()).isEqualTo(2_000_000);
        assertThat(sent(whole.phases().get(2))).isEqualTo(6);
        assertThat(whole.interrupted()).isFalse();
    }

    /** A stop would wait for five seconds. */
    @Test
    void anAbortCutsOffRequestsInFlight() throws Exception {
        CountDownLatch inFlight = new CountDownLatch(2);
        CountDownLatch never = new CountDownLatch(1);
        server.beforeAnswer(number -> {
            inFlight.countDown();
            await(never);
        });
        start(new Phase("peak", 1, new PhaseLength.Lasting(Duration.ofMinutes(10))));
        inFlight.await();

        steer(Kind.ABORT, "");
        Measurement whole = measured.get();
        never.countDown();

        Tally all = Tallies.sum(whole.phases().get(0).operations());
        assertThat(all.causes().keySet()).containsExactly("client: stopped in flight");
        assertThat(all.failed()).isEqualTo(2);
        assertThat(whole.phases().get(0).wall()).isLessThan(RunControl.DRAIN_LIMIT);
        assertThat(whole.interrupted()).isTrue();
        assertThatThrownBy(() -> steer(Kind.PAUSE, "")).hasMessage("pause: expected a phase that runs");
    }

    private void start(Phase... phases) {
        engine = TestEngine.of(builder(phases).build(), new RunListener() {
            @Override
            public void loadChanged(LoadEvent event) {
                heard.add(event);
            }
        });
        measured = CompletableFuture.supplyAsync(engine::run);
        while (engine.steering().load().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private PlanBuilder builder(Phase... phases) {
        return Plan.builder(server.uri())
                .threads(2)
                .operations(Operation.get("/"))
                .phases(phases);
    }

    private LoadEvent steer(Kind kind, String to) {
        LoadEvent event = engine.steering().steer(kind, to, Steering.CONTROL);
        assertThat(event.change())
                .isEqualTo(new LoadChange(event.change().phase(), event.change().at(), kind, to));
        return event;
    }

    /** A client that is too busy doesn't tell short ones apart. */
    private static String loads(PhaseMeasurement phase) {
        return phase.segments().stream().map(Segment::load).collect(Collectors.joining(", "));
    }

    private static long sent(PhaseMeasurement phase) {
        return Tallies.sum(phase.operations()).requests();
    }

    /** Of all requests, since the phase's start. */
    private static List<Long> due(PhaseMeasurement phase) {
        return phase.sample().all().stream()
                .map(SampledRequest::dueNanos)
                .sorted()
                .toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
