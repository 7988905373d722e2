package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Outcome;
import io.phaseload.run.Partners;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private static final long LIMIT = 1_000;

    private final List<String> told = new ArrayList<>();
    private final Ledger.Listener listener = new Ledger.Listener() {
        @Override
        public void received(Timing kind, long nanos) {
            told.add(kind.key() + " " + nanos);
        }

        @Override
        public void ended(long number, long due, long sent, long end, Outcome outcome) {
            told.add("%s %d: %d..%d..%d".formatted(outcome.cause(), number, due, sent, end));
        }
    };

    @Test
    void aMessageEndsWhenAllReceiversHaveIt() {
        Ledger ledger = new Ledger(2, LIMIT, listener);
        assertThat(ledger.sent(5, 10)).isZero();
        assertThat(ledger.sent(6, 11)).isEqualTo(1);
        received(ledger, 1, 0, 5, 20);
        received(ledger, 0, 0, 5, 30);
        assertThat(told).containsExactly("delivery 15", "delivery 25", "success 0: 5..10..30");
    }

    @Test
    void copiesAreCountedEvenWhenTheMessageIsForgotten() {
        Ledger ledger = new Ledger(1, LIMIT, listener);
        ledger.sent(0, 0);
        received(ledger, 0, 0, 0, 1);
        received(ledger, 0, 0, 0, 2);
        ledger.expire(LIMIT);
        received(ledger, 0, 0, 0, 2_000);
        assertThat(told).containsExactly("delivery 1", "success 0: 0..0..1", "duplicated 2", "duplicated 2000");
    }

    @Test
    void whatComesBehindALaterOneIsReordered() {
        Ledger ledger = new Ledger(1, LIMIT, listener);
        ledger.sent(0, 0);
        ledger.sent(1, 1);
        received(ledger, 0, 1, 1, 3);
        received(ledger, 0, 0, 0, 4);
        assertThat(told)
                .containsExactly("delivery 2", "success 1: 1..1..3", "delivery 4", "reordered 4", "success 0: 0..0..4");
    }

    @Test
    void whatIsGivenUpIsLostOnceAndLateAfterwards() {
        Ledger ledger = new Ledger(1, LIMIT, listener);
        ledger.sent(0, 10);
        ledger.expire(LIMIT + 9);
        assertThat(told).isEmpty();
        ledger.expire(LIMIT + 50);
        received(ledger, 0, 0, 0, 1_100);
        received(ledger, 0, 0, 0, 1_200);
        assertThat(told).containsExactly("lost: not received in time 0: 0..10..1010", "late 1100", "duplicated 1200");
    }

    @Test
    void aReceiverThatGoesLosesWhatIsOnItsWayAndASenderOnlyWhatDoesNotArrive() {
        Ledger ledger = new Ledger(2, LIMIT, listener);
        ledger.sent(0, 0);
        received(ledger, 1, 0, 0, 1);
        ledger.sent(1, 1);
        ledger.senderGone("closed 1006");
        ledger.sent(2, 2);
        received(ledger, 0, 0, 0, 3);
        ledger.receiverGone(1, "closed 1001", 4);
        assertThat(told)
                .containsExactly(
                        "delivery 1",
                        "delivery 3",
                        "success 0: 0..0..3",
                        "lost: receiver closed 1001 1: 1..1..4",
                        "lost: receiver closed 1001 2: 2..2..4");
        told.clear();
        ledger.sent(5, 5);
        ledger.senderGone("closed 1006");
        ledger.expire(3_000);
        assertThat(told).containsExactly("lost: sender closed 1006 3: 5..5..1005");
    }

    @Test
    void aRunThatIsStoppedEndsWhatIsOnItsWay() {
        Ledger ledger = new Ledger(64, LIMIT, listener);
        ledger.sent(0, 0);
        ledger.abandon(Outcome.ClientFault.stopped(), 7);
        ledger.abandon(Outcome.ClientFault.stopped(), 8);
        received(ledger, 63, 9, 0, 9);
        assertThat(told).containsExactly("client: stopped in flight 0: 0..0..7");
    }

    @Test
    void deliveriesByAnotherClockAreToldWithItsBoundAndNoneIsReceivedBeforeItWasSent() {
        Ledger ledger = new Ledger(1, LIMIT, listener);
        ledger.sent(0, 10);
        ledger.sent(0, 10);
        ledger.sent(0, 10);
        ledger.received(0, 0, 0, new Partners.Time(500, 40));
        ledger.received(0, 1, 0, new Partners.Time(39, 40));
        ledger.received(0, 2, 0, new Partners.Time(-5, 40));
        ledger.received(0, 2, 0, new Partners.Time(-5, 40));
        assertThat(told)
                .containsExactly(
                        "delivery 500",
                        "clock-bound 40",
                        "success 0: 0..10..500",
                        "delivery 39",
                        "clock-bound 40",
                        "below-clock-bound 39",
                        "success 1: 0..10..39",
                        "delivery 10",
                        "clock-bound 40",
                        "below-clock-bound 10",
                        "success 2: 0..10..10",
                        "duplicated 10");
    }

    /** By this client's own clock. */
    private static void received(Ledger ledger, int receiver, long sequence, long due, long now) {
        ledger.received(receiver, sequence, due, new Partners.Time(now, 0));
    }
}
