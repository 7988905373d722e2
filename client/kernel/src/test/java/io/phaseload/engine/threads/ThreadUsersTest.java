package io.phaseload.engine.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.PhaseRun;
import io.phaseload.engine.PhaseUsers;
import io.phaseload.engine.RunController;
import io.phaseload.http.client.WireClient;
import io.phaseload.http.request.RequestSource;
import io.phaseload.measure.recording.Recorder;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.run.EngineUse;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What breaks when the clock is to start. */
@Timeout(60)
class ThreadUsersTest {

    @Test
    void whatBreaksInAUsersThreadIsTheRunsFault() {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .threads(3)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(1)))
                .build();

        Measurement measured = new RunController(plan, RunListener.NONE)
                .run(
                        EngineUse.THREADS,
                        StartGate.OPEN,
                        phase -> new UsersLast(new ThreadUsers(
                                withoutClock(phase),
                                new WireClient().create(plan),
                                RequestSource.of(plan),
                                Optional.empty())));

        assertThat(measured.fault()).containsInstanceOf(NullPointerException.class);
    }

    private static PhaseRun withoutClock(PhaseRun phase) {
        return new PhaseRun(
                phase.settings(),
                phase.control(),
                null,
                phase.throttle(),
                phase.arrivals(),
                phase.journeys(),
                phase.connectPace());
    }

    /** The coordinator is the first to wait for the start, so that a user is the last. */
    private record UsersLast(ThreadUsers users) implements PhaseUsers {

        @Override
        public void ready() {}

        @Override
        public void release() throws InterruptedException {
            Thread coordinator = new Thread(this::arrive, "coordinator");
            coordinator.start();
            while (coordinator.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            users.ready();
            coordinator.join();
            throw new IllegalStateException("the start is broken");
        }

        private void arrive() {
            try {
                users.release();
            } catch (InterruptedException | IllegalStateException e) {
                // It hears that it is broken, not why.
            }
        }

        @Override
        public void await() {}

        @Override
        public void drain(Duration limit) {
            users.drain(limit);
        }

        @Override
        public Recorder recorder() {
            return users.recorder();
        }

        @Override
        public void close() {
            users.close();
        }
    }
}
