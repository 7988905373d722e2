package io.phaseload.events.shared;

import static io.phaseload.events.shared.SharedClient.join;
import static io.phaseload.events.shared.SharedClient.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users who share a connection, and what a server may do to them. */
@Timeout(60)
class Http2ConnectionTest {

    private static final Operation GET = Operation.get("/");

    @Test
    void theFirstRequestHasTheConnectionsTimings() {
        try (Http2Server server = new Http2Server(Http2Server.Request::answer);
                SharedClient client = new SharedClient(server, 3)) {
            List<Exchange> first = join(client.sendAll(GET));
            List<Exchange> second = join(client.sendAll(GET));

            assertThat(first).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(first).filteredOn(exchange -> exchange.setUp() != null).hasSize(1);
            assertThat(second).filteredOn(exchange -> exchange.setUp() != null).isEmpty();
            // Two frames' headers, their content, and at least :status and a length.
            assertThat(second.get(0).bytesReceived()).isGreaterThanOrEqualTo(9 + 2 + 9 + 2);
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).isEqualTo(6);
        }
    }

    @Test
    void noMoreStreamsAreOpenedThanTheServerAllows() {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(2);
        BlockingQueue<Http2Server.Request> held = new LinkedBlockingQueue<>();
        try (Http2Server server = new Http2Server(settings, true, held::add);
                SharedClient client = new SharedClient(server, 5)) {
            List<CompletableFuture<Exchange>> answers = client.sendAll(GET);
            for (int i = 0; i < 5; i++) {
                Http2Server.Request request = held.take();
                server.execute(request::answer);
            }

            assertThat(outcomes(answers)).containsOnly(Outcome.SUCCESS);
            assertThat(server.mostAtOnce()).isEqualTo(2);
            assertThat(server.connections()).isEqualTo(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aBodyThatTheServerDoesNotReadTimesOut() {
        try (Http2Server server = new Http2Server(Http2Settings.defaultSettings(), false, Http2Server.Request::answer);
                SharedClient client = new SharedClient(server, Duration.ofSeconds(2), 1)) {
            Operation large = Operation.post("/", Body.ofBytes(new byte[100_000]));

            assertThat(client.exchange(large).outcome()).isEqualTo(Outcome.NoResponse.READ_TIMEOUT);
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.resets()).containsExactly(Http2Error.CANCEL.code());
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aTimeoutEndsItsStreamAndKeepsTheConnection() {
        try (Http2Server server = new Http2Server(request -> {
                    if (request.number() != 1) {
                        request.answer();
                    }
                });
                SharedClient client = new SharedClient(server, Duration.ofSeconds(2), 2)) {
            List<CompletableFuture<Exchange>> answers = client.sendAll(GET);

            assertThat(outcomes(answers)).containsExactlyInAnyOrder(Outcome.NoResponse.READ_TIMEOUT, Outcome.SUCCESS);
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
            assertThat(server.resets()).containsExactly(Http2Error.CANCEL.code());
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aResetStreamFailsWithItsCode() {
        try (Http2Server server = new Http2Server(request -> {
                    if (request.number() == 2) {
                        request.reset(Http2Error.REFUSED_STREAM);
                    } else {
                        request.answer();
                    }
                });
                SharedClient client = new SharedClient(server, 3)) {
            assertThat(outcomes(client.sendAll(GET)))
                    .containsExactly(
                            Outcome.SUCCESS, SharedFailure.ended("stream reset", "REFUSED_STREAM"), Outcome.SUCCESS);
            assertThat(client.exchange(GET).outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /** Of three requests in flight the server has looked at one. */
    @Test
    void requestsThatAGoawayExcludesAreSentAgain() {
        List<Http2Server.Request> held = new ArrayList<>();
        try (Http2Server server = new Http2Server(request -> {
                    if (request.number() <= 3) {
                        held.add(request);
                        if (held.size() == 3) {
                            request.goAway(1, Http2Error.NO_ERROR);
                            held.get(0).answer();
                        }
                    } else {
                        request.answer();
                    }
                });
                SharedClient client = new SharedClient(server, 3)) {
            List<Exchange> exchanges = join(client.sendAll(GET));

            assertThat(exchanges).extracting(Exchange::outcome).containsOnly(Outcome.SUCCESS);
            assertThat(exchanges).extracting(Exchange::reconnected).containsExactly(false, true, false);
            assertThat(server.connections()).isEqualTo(2);
            assertThat(server.requests()).isEqualTo(5);
        }
    }

    @Test
    void twoConnectionsWithoutARequestReadAreEnough() {
        try (Http2Server server = new Http2Server(request -> request.goAway(0, Http2Error.ENHANCE_YOUR_CALM));
                SharedClient client = new SharedClient(server, 1)) {
            assertThat(client.exchange(GET).outcome()).isEqualTo(SharedFailure.ended("goaway", "ENHANCE_YOUR_CALM"));
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void aLostConnectionFailsEachRequestOnItOnce() {
        List<Http2Server.Request> held = new ArrayList<>();
        try (Http2Server server = new Http2Server(request -> {
                    held.add(request);
                    if (held.size() == 4) {
                        held.get(0).head(status200(), false);
                        request.closeConnection();
                    } else if (held.size() > 4) {
                        request.answer();
                    }
                });
                SharedClient client = new SharedClient(server, 4)) {
            assertThat(outcomes(client.sendAll(GET)))
                    .containsExactly(
                            new Outcome.Reset(Outcome.Reset.Stage.IN_BODY),
                            new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE),
                            new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE),
                            new Outcome.Reset(Outcome.Reset.Stage.BEFORE_RESPONSE));
            assertThat(outcomes(client.sendAll(GET))).containsOnly(Outcome.SUCCESS);
            assertThat(server.requests()).isEqualTo(8);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** Also a request that waits for a stream, which isn't sent any more. */
    @Test
    void aStopEndsRequestsInFlight() {
        BlockingQueue<Http2Server.Request> held = new LinkedBlockingQueue<>();
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(2);
        try (Http2Server server = new Http2Server(settings, true, held::add);
                SharedClient client = new SharedClient(server, 3)) {
            List<CompletableFuture<Exchange>> answers = client.sendAll(GET);
            IntStream.range(0, 2).forEach(i -> take(held));
            client.abandonAfter(0);

            assertThat(outcomes(answers)).containsOnly(Outcome.ClientFault.stopped());
            assertThat(server.requests()).isEqualTo(2);
        }
    }

    private static void take(BlockingQueue<Http2Server.Request> held) {
        try {
            held.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DefaultHttp2Headers status200() {
        DefaultHttp2Headers head = new DefaultHttp2Headers();
        head.status("200");
        return head;
    }
}
