package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.timing.InstanceState;
import org.junit.jupiter.api.Test;

class ExchangeTest {

    private static final Outcome NO_PORT = new Outcome.ClientFault(Cause.NO_PORT, "");
    private static final SetUp SET_UP = new SetUp(1, 2, 3);

    @Test
    void nothingIsSentOnceTheClientHasNoDescriptorOrPort() {
        assertThat(notConnected(NO_PORT).unsent()).isTrue();
        assertThat(notConnected(new Outcome.ClientFault(Cause.NO_DESCRIPTOR, ""))
                        .unsent())
                .isTrue();
        assertThat(notConnected(new Outcome.ClientFault(Cause.NO_ROUTE, "")).unsent())
                .isFalse();
        assertThat(notConnected(Outcome.NoResponse.CONNECT_REFUSED).unsent()).isFalse();
    }

    /** Its retry needed a port, which was missing, but the first attempt was sent. */
    @Test
    void aRequestOfWhichAnyPartWasSentIsNoUnsentOne() {
        assertThat(new Exchange(10, -1, 20, NO_PORT, 0, 0, SET_UP, false, 0, null, Exchange.NO_LEASE).unsent())
                .isFalse();
        assertThat(new Exchange(10, -1, 20, NO_PORT, 0, 0, null, false, 1, null, Exchange.NO_LEASE).unsent())
                .isFalse();
        assertThat(new Exchange(10, 5, 20, NO_PORT, 0, 0, null, false, 0, null, Exchange.NO_LEASE).unsent())
                .isFalse();
    }

    @Test
    void onlyACompleteResponseHasAStatus() {
        Exchange exchange = first(new Outcome.HttpFailure(503), 503);

        assertThat(exchange.status()).isEqualTo(503);
        assertThat(exchange.ended(99, Outcome.NoResponse.READ_TIMEOUT).status()).isZero();
        assertThat(first(Outcome.NoResponse.READ_TIMEOUT, 503).status()).isZero();
    }

    @Test
    void anotherEndLeavesTheBeginning() {
        Outcome check = new Outcome.CheckFailure("check body");

        assertThat(first(Outcome.SUCCESS, 200).ended(99, check))
                .isEqualTo(new Exchange(10, 4, 99, check, 200, 100, SET_UP, false, 2, InstanceState.COLD, 6));
    }

    /** A server may have counted each attempt. */
    @Test
    void attemptsOfARequestAddUpToOne() {
        Exchange next =
                new Exchange(50, 1, 70, new Outcome.HttpFailure(500), 500, 30, null, true, 3, InstanceState.WARM, -1);

        Exchange both = first(Outcome.SUCCESS, 302).then(next);

        assertThat(both)
                .isEqualTo(new Exchange(
                        10, 4, 70, new Outcome.HttpFailure(500), 500, 130, SET_UP, true, 6, InstanceState.COLD, 6));
        assertThat(first(Outcome.SUCCESS, 302).then(first(Outcome.SUCCESS, 200)).reconnected())
                .isFalse();
        assertThat(both.then(first(Outcome.SUCCESS, 200)).reconnected()).isTrue();
    }

    @Test
    void stepsAsAWholeCountNoneOfTheirRequestsFigures() {
        Tally tally = new Tally();

        tally.add(new Sample(0, 10, Exchange.ofSteps(10, 40, Outcome.SUCCESS)));

        assertThat(tally.succeeded()).isEqualTo(1);
        assertThat(tally.histograms().values())
                .extracting(of -> of.getMaxValue())
                .containsExactly(30L, 30L, 0L);
        assertThat(tally.counters().bytesReceived()).isZero();
        assertThat(tally.counters().statuses()).isEmpty();
    }

    private static Exchange notConnected(Outcome outcome) {
        return Exchange.notConnected(10, 20, outcome, false);
    }

    private static Exchange first(Outcome outcome, int status) {
        return new Exchange(10, 4, 40, outcome, status, 100, SET_UP, false, 2, InstanceState.COLD, 6);
    }
}
