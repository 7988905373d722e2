package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Outcome;
import io.phaseload.run.Partners;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageRecordsTest {

    private static final long LIMIT = 1_000;

    private final List<String> told = new ArrayList<>();
    private static final long PAIR = 7;

    private final MessageRecords.Listener listener = new MessageRecords.Listener() {
        @Override
        public void received(Timing kind, long nanos) {
            told.add(kind.key() + " " + nanos);
        }

        @Override
        public void ended(long pair, long number, long due, long sent, long end, Outcome outcome) {
            assertThat(pair).isEqualTo(PAIR);
            told.add("%s %d: %d..%d..%d".formatted(outcome.cause(), number, due, sent, end));
        }
    };

    @Test
    void aMessageEndsWhenAllReceiversHaveIt() {
        MessageRecords messageRecords = new MessageRecords(PAIR, 2, LIMIT, listener);
        assertThat(messageRecords.sent(5, 10)).isZero();
        assertThat(messageRecords.sent(6, 11)).isEqualTo(1);
        received(messageRecords, 1, 0, 5, 20);
        received(messageRecords, 0, 0, 5, 30);
        assertThat(told).containsExactly("delivery 15", "delivery 25", "success 0: 5..10..30");
    }

    @Test
    void copiesAreCountedEvenWhenTheMessageIsForgotten() {
        MessageRecords messageRecords = new MessageRecords(PAIR, 1, LIMIT, listener);
        messageRecords.sent(0, 0);
        received(messageRecords, 0, 0, 0, 1);
        received(messageRecords, 0, 0, 0, 2);
        messageRecords.expire(LIMIT);
        received(messageRecords, 0, 0, 0, 2_000);
        assertThat(told).containsExactly("delivery 1", "success 0: 0..0..1", "duplicated 2", "duplicated 2000");
    }

    @Test
    void whatComesBehindALaterOneIsReordered() {
        MessageRecords messageRecords = new MessageRecords(PAIR, 1, LIMIT, listener);
        messageRecords.sent(0, 0);
        messageRecords.sent(1, 1);
        received(messageRecords, 0, 1, 1, 3);
        received(messageRecords, 0, 0, 0, 4);
        assertThat(told)
                .containsExactly("delivery 2", "success 1: 1..1..3", "delivery 4", "reordered 4", "success 0: 0..0..4");
    }

    @Test
    void whatIsGivenUpIsLostOnceAndLateAfterwards() {
        MessageRecords messageRecords = new MessageRecords(PAIR, 1, LIMIT, listener);
        messageRecords.sent(0, 10);
        messageRecords.expire(LIMIT + 9);
        assertThat(told).isEmpty();
        messageRecords.expire(LIMIT + 50);
        received(messageRecords, 0, 0, 0, 1_100);
        received(messageRecords, 0, 0, 0, 1_200);
        assertThat(told).containsExactly("lost: not received in time 0: 0..10..1010", "late 1100", "duplicated 1200");
    }

    @Test
    void aReceiverThatGoesLosesWhatIsOnItsWayAndASenderOnlyWhatDoesNotArrive() {
        MessageRecords messageRecords = new MessageRecords(PAIR, 2, LIMIT, listener);
        messageRecords.sent(0, 0);
        received(messageRecords, 1, 0, 0, 1);
        messageRecords.sent(1, 1);
        messageRecords.doubt("sender closed 1006");
        messageRecords.sent(2, 2);
        received(messageRecords, 0, 0, 0, 3);
        messageRecords.receiverGone(1, "closed 1001", 4);
        assertThat(told)
                .containsExactly(
                        "delivery 1",
                        "delivery 3",
                        "success 0: 0..0..3",
                        "lost: receiver closed 1001 1: 1..1..4",
                        "lost: receiver closed 1001 2: 2..2..4");
        told.clear();
        messageRecords.sent(5, 5);
        messageRecords.doubt("sender closed 1006");
        messageRecords.expire(3_000);
        assertThat(told).containsExactly("lost: sender closed 1006 3: 5..5..1005");
    }

    @Test
    void aRunThatIsStoppedEndsWhatIsOnItsWay() {
        MessageRecords messageRecords = new MessageRecords(PAIR, 64, LIMIT, listener);
        messageRecords.sent(0, 0);
        messageRecords.abandon(Outcome.ClientFault.stopped(), 7);
        messageRecords.abandon(Outcome.ClientFault.stopped(), 8);
        received(messageRecords, 63, 9, 0, 9);
        assertThat(told).containsExactly("client: stopped in flight 0: 0..0..7");
    }

    @Test
    void deliveriesByAnotherClockAreToldWithItsBoundAndNoneIsReceivedBeforeItWasSent() {
        MessageRecords messageRecords = new MessageRecords(PAIR, 1, LIMIT, listener);
        messageRecords.sent(0, 10);
        messageRecords.sent(0, 10);
        messageRecords.sent(0, 10);
        messageRecords.received(0, 0, 0, new Partners.PartnerTime(500, 40));
        messageRecords.received(0, 1, 0, new Partners.PartnerTime(39, 40));
        messageRecords.received(0, 2, 0, new Partners.PartnerTime(-5, 40));
        messageRecords.received(0, 2, 0, new Partners.PartnerTime(-5, 40));
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
    private static void received(MessageRecords messageRecords, int receiver, long sequence, long due, long now) {
        messageRecords.received(receiver, sequence, due, new Partners.PartnerTime(now, 0));
    }
}
