package io.phaseload.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.engine.CountingServer;
import io.phaseload.engine.Engines;
import io.phaseload.events.connection.Transport;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Result;
import io.phaseload.run.EngineUse;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked of event loops, and what isn't theirs. */
@Timeout(60)
class EventEngineTest {

    private static final EngineSettings EVENTS = EngineSettings.of("events");

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @ParameterizedTest
    @EnumSource
    void theRequestedTransportIsUsed(Transport transport) {
        assumeThat(transport.available()).as("this host has " + transport.key()).isTrue();
        Result result = ThreadsLoadClient.of(plan(EngineSettings.builder("events")
                        .transport(transport.key())
                        .loops(3)
                        .build()))
                .run();

        assertThat(result.engine())
                .isEqualTo(EngineUse.ofLoops("events", transport.key(), 3, Optional.empty(), Protocol.HTTP_1));
        assertThat(result.totals().succeeded()).isEqualTo(server.requests()).isEqualTo(128);
    }

    @Test
    void theDefaultIsALoopPerCoreOnTheFirstAvailableTransport() {
        Transport first = Arrays.stream(Transport.values())
                .filter(Transport::available)
                .findFirst()
                .orElseThrow();

        assertThat(ThreadsLoadClient.of(plan(EVENTS)).run().engine())
                .isEqualTo(EngineUse.ofLoops(
                        "events",
                        first.name().toLowerCase(Locale.ROOT),
                        Runtime.getRuntime().availableProcessors(),
                        Optional.empty(),
                        Protocol.HTTP_1));
    }

    /** The run ends with the first second that has figures, however late it comes. */
    @ParameterizedTest
    @EnumSource
    void connectionsTellHowTheyAreOnEpollAlone(Transport transport) {
        assumeThat(transport.available()).as("this host has " + transport.key()).isTrue();
        AtomicReference<ThreadsLoadClient> client = new AtomicReference<>();
        List<Map<String, Double>> told = new CopyOnWriteArrayList<>();
        RunListener listener = new RunListener() {
            @Override
            public void interval(Interval interval) {
                if (interval.client().values().containsKey("loopLagMsPerSecond")) {
                    told.add(interval.client().values());
                    client.get().close();
                }
            }
        };
        client.set(ThreadsLoadClient.of(
                Plan.builder(server.uri())
                        .threads(3)
                        .phases(new Phase("a", 1, new PhaseLength.Lasting(Duration.ofSeconds(50))))
                        .engine(EngineSettings.builder("events")
                                .transport(transport.key())
                                .build())
                        .build(),
                listener));

        client.get().run();

        Map<String, Double> first = told.get(0);
        if (transport == Transport.EPOLL) {
            assertThat(first.get("connectionRttMs")).isPositive();
            assertThat(first.get("connectionSmallestWindow")).isPositive();
            assertThat(first).containsKeys("connectionLongestRttMs", "connectionRetransmits");
        } else {
            assertThat(first).doesNotContainKey("connectionRttMs");
        }
    }

    /** With fewer users than loops, some loops have none. */
    @Test
    void moreLoopsThanUsersSendNothingExtra() {
        ThreadsLoadClient.of(plan(EngineSettings.builder("events").loops(64).build()))
                .run();

        assertThat(server.requests()).isEqualTo(128);
    }

    @Test
    void unsupportedSettingsAreRejected() {
        Plan virtual = Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .engine(EVENTS)
                .virtualThreads(true)
                .build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(virtual, RunListener.NONE))
                .withMessage("virtual threads cannot be combined with engine events");
    }

    private Plan plan(EngineSettings engine) {
        return Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(4)
                .iterations(8)
                .engine(engine)
                .build();
    }
}
