package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.timing.InstanceState;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of an exchange's time, and what a response says of its instance. */
@Tag("contract")
class TimingsTest {

    private static final Duration PAUSE = Duration.ofMillis(60);

    @Test
    void theFirstByteIsTheHeadersNotTheBodys() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.pause(PAUSE);
            peer.write("HTTP/1.1 200 OK\r\n");
            peer.pause(PAUSE);
            peer.write("Content-Length: 2\r\n\r\no");
            peer.pause(PAUSE);
            peer.write("k");
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            Exchange exchange = user.get();

            long service = exchange.endNanos() - exchange.sentNanos();
            assertThat(exchange.timeToFirstByteNanos()).isGreaterThanOrEqualTo(PAUSE.toNanos());
            assertThat(service - exchange.timeToFirstByteNanos())
                    .isGreaterThanOrEqualTo(PAUSE.multipliedBy(2).toNanos() * 9 / 10);
        }
    }

    @Test
    void anInterimResponseIsTheFirstByte() throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 103 Early Hints\r\n\r\n");
            peer.pause(PAUSE);
            peer.write(Peer.OK);
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            Exchange exchange = user.get();

            long service = exchange.endNanos() - exchange.sentNanos();
            assertThat(service - exchange.timeToFirstByteNanos()).isGreaterThanOrEqualTo(PAUSE.toNanos() * 9 / 10);
        }
    }

    @Test
    void withoutAResponseThereIsNoFirstByte() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(peer -> {
                    peer.readRequest();
                    peer.write(Peer.OK);
                    peer.readRequest();
                    peer.reset();
                });
                OneUser user = OneUser.of(server.uri())) {
            assertThat(user.get().timeToFirstByteNanos()).isPositive();
            assertThat(user.get().timeToFirstByteNanos()).isEqualTo(-1);
        }
    }

    @Test
    void connectingIsMeasuredInParts() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            Exchange.SetUp first = user.get().setUp();

            assertThat(first.lookUpNanos()).isPositive();
            assertThat(first.connectNanos()).isPositive();
            assertThat(first.tlsNanos()).isEqualTo(-1);
            assertThat(first.nanos()).isEqualTo(first.lookUpNanos() + first.connectNanos());
            assertThat(user.get().setUp()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Phaseload-Start: cold; instance=1f; invocation=1, COLD",
        "phaseload-start:Restored, RESTORED",
        "PHASELOAD-START:  warm ;x, WARM",
        "Phaseload-Start: tepid, ",
        "Phaseload-Starts: cold, ",
    })
    void anInstanceReportsItsStart(String header, InstanceState state) throws Exception {
        Script script = peer -> {
            peer.readRequest();
            peer.write("HTTP/1.1 204 No Content\r\n" + header + "\r\n\r\n");
            peer.readRequest();
            peer.write("HTTP/1.1 204 No Content\r\n\r\n");
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                OneUser user = OneUser.of(server.uri())) {
            Exchange first = user.get();

            assertThat(first.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(first.instance()).isEqualTo(state);
            assertThat(user.get().instance()).isNull();
        }
    }
}
