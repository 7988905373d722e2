package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.user.VirtualUser.Action;
import java.net.URI;
import java.time.Duration;

/** Phases of four users and two operations, what their users do, and the results of their requests. */
final class FakePhase {

    static final int USERS = 4;

    private FakePhase() {}

    static PhaseSettings of(PhaseLength length, Load load) {
        return of(length, load, EngineSettings.THREADS);
    }

    static PhaseSettings of(PhaseLength length, Load load, EngineSettings engine) {
        Phase phase = new Phase("phase", 1, length, load);
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .threads(USERS)
                .operations(Operation.get("/a"), Operation.get("/b"))
                .phases(phase)
                .engine(engine)
                .seed(7)
                .build();
        return new PhaseSettings(plan, phase);
    }

    static PhaseLength iterations(long perUser) {
        return new PhaseLength.Iterations(perUser);
    }

    static PhaseLength lasting(long nanos) {
        return new PhaseLength.Lasting(Duration.ofNanos(nanos));
    }

    static Pause pause(long minNanos, long maxNanos) {
        return new Pause(Duration.ofNanos(minNanos), Duration.ofNanos(maxNanos));
    }

    /** Over a connection that was there. */
    static Exchange answered(long sent, long end) {
        return Exchanges.of(sent, end, Outcome.SUCCESS, 100, 0, false);
    }

    /** Over a connection that was made for it. */
    static Exchange connected(long sent, long end, long setUp) {
        return Exchanges.of(sent, end, Outcome.SUCCESS, 100, setUp, false);
    }

    static Exchange refused(long sent, long end) {
        return Exchanges.of(sent, end, Outcome.NoResponse.CONNECT_REFUSED, 0, 0, false);
    }

    static Load.Closed think(long minNanos, long maxNanos) {
        return new Load.Closed(pause(minNanos, maxNanos), Pause.NONE, Duration.ZERO);
    }

    /** Two requests over a connection that is there, from a start to an end. */
    static void iterate(ClosedUser user, long start, long end) {
        long middle = (start + end) / 2;
        send(user, start, answered(start, middle));
        send(user, middle, answered(middle, end));
    }

    static void send(ClosedUser user, long now, Exchange exchange) {
        assertThat(user.next(now, false)).isEqualTo(Action.SEND);
        user.answered(exchange.sentNanos(), exchange);
    }
}
