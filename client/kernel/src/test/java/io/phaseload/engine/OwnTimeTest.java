package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.health.ThreadDelay;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.user.Arrivals.Arrival;
import io.phaseload.user.OpenUser;
import io.phaseload.user.PhaseSettings;
import io.phaseload.user.Reachability;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user of an open phase whose requests are due 1 ms after each other. */
class OwnTimeTest {

    private static final long MILLI = 1_000_000;

    private final ThreadDelay thread = ThreadDelay.ofThisThread(1);
    private PhaseRun phase;
    private OpenUser user;
    private long start;

    @BeforeEach
    void start() {
        Phase peak = new Phase(
                "peak",
                1,
                new PhaseLength.Iterations(9),
                new Load.Open(new ConstantArrivals(Rate.perSecond(1_000)), Load.Overload.QUEUE));
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .operations(Operation.get("/"))
                .phases(peak)
                .build();
        phase = PhaseRun.of(
                new PhaseSettings(plan, peak),
                new RunControl(RunListener.NONE, new Reachability(false)),
                Optional.empty(),
                System.nanoTime());
        phase.accounting().startWatch();
        phase.accounting().startAt(System.nanoTime());
        phase.accounting().startClock();
        start = phase.startNanos();
        user = (OpenUser) phase.newUser(0, start, sample -> {});
    }

    @AfterEach
    void end() {
        phase.accounting().endWatch();
        thread.close();
    }

    private Sample send(OwnTime own, int number, long readyNanos, long endNanos, boolean measured) {
        user.take(new Arrival(number, number * MILLI));
        user.next(start + number * MILLI, false);
        if (measured) {
            own.sending(System.nanoTime());
        }
        Sample sample = own.ended(user, readyNanos, Exchanges.of(readyNanos, endNanos, Outcome.SUCCESS, 1, 0, false));
        user.next(endNanos, false);
        return sample;
    }

    /** The first one's timer is 5 ms late, so the second one can't be in time. */
    @Test
    void aDelayIsCarriedOnByARequestThatIsNotMeasured() {
        OwnTime own = new OwnTime(phase, thread);
        user.next(start, false);

        Sample first = send(own, 1, start + 6 * MILLI, start + 6 * MILLI + 1, false);
        Sample second = send(own, 2, start + 6 * MILLI + 1, start + 8 * MILLI, true);

        assertThat(first.ownNanos()).isEqualTo(Sample.OWN_UNKNOWN);
        assertThat(second.ownNanos()).isBetween(4 * MILLI, 6 * MILLI);
    }

    /** The target's handshake takes 6 ms. */
    @Test
    void connectingIsNotTheClientsOwn() {
        OwnTime own = new OwnTime(phase, thread);
        user.next(start, false);
        user.take(new Arrival(1, MILLI));
        own.sending(System.nanoTime());
        long sent = start + 7 * MILLI;
        Exchange.SetUp setUp = new Exchange.SetUp(0, 6 * MILLI, -1);

        Sample sample = own.ended(
                user,
                sent,
                new Exchange(sent, 1, sent + MILLI, Outcome.SUCCESS, 200, 1, setUp, false, 0, null, Exchange.NO_LEASE));

        assertThat(sample.ownNanos()).isLessThan(3 * MILLI);
    }

    /** The target allows fewer streams than there are users. */
    @Test
    void aWaitForAStreamIsNotTheClientsOwn() {
        OwnTime own = new OwnTime(phase, thread);
        user.next(start, false);
        user.take(new Arrival(1, MILLI));
        own.sending(System.nanoTime());
        long sent = start + 9 * MILLI;

        Sample sample =
                own.ended(user, start + 2 * MILLI, Exchanges.of(sent, sent + MILLI, Outcome.SUCCESS, 1, 0, false));

        assertThat(sample.ownNanos()).isBetween(MILLI, 4 * MILLI);
    }

    @Test
    void nothingIsKnownWithoutAThreadThatIsMeasured() {
        user.next(start, false);

        assertThat(send(new OwnTime(phase, null), 1, start + 6 * MILLI, start + 7 * MILLI, true)
                        .ownNanos())
                .isEqualTo(Sample.OWN_UNKNOWN);
    }
}
