package io.phaseload.events.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.http.TestConnection;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a loop's connection does otherwise than a thread's, since it reads all the time. */
@Timeout(60)
class LoopConnectionTest {

    /** After a pause of 1 ms, a connection may have ended. */
    private static final long PAUSE_NANOS = 3_000_000;

    /** It would still read the request, but that isn't known. The loop is busy until the request is due. */
    @ParameterizedTest
    @EnumSource
    void nothingIsSentAfterTheServersFin(Transport transport) throws Exception {
        assumeTrue(transport.available());
        CountDownLatch firstRead = new CountDownLatch(1);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Script ends = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
            firstRead.await();
            peer.endOutput();
            ended.complete(null);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(ends, Script.BEHAVE)) {
            Target target = Target.of(server.uri());
            PreparedRequest request = new PreparedRequest(target, Operation.get("/"));
            try (EventConnections.OfLoop user = new EventConnections.OfLoop(target, transport)) {
                assertThat(user.exchange(request).outcome()).isEqualTo(Outcome.SUCCESS);
                Exchange second = user.exchange(request, () -> {
                    firstRead.countDown();
                    ended.join();
                    LockSupport.parkNanos(PAUSE_NANOS);
                });

                assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(second.reconnected()).isTrue();
                assertThat(second.resent()).isZero();
                assertThat(server.requests()).hasSize(2);
                assertThat(server.connections()).isEqualTo(2);
            }
        }
    }

    /** However long it goes on, it has no status but those of interim responses, or no header. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|HTTP/1.1 103 Early Hints_Link: </a>__|more than 100000 interim responses without progress",
                "100000000|HTTP/1.1 200 OK_Set-Cookie: a=|Maximum line length limit exceeded",
                "0|HTTP/1.1 200 OK_Set-Cookie: a=b_|Maximum header count exceeded"
            })
    void whatDoesNotBecomeAResponseIsNoSuccess(int fill, String text, String reason) throws Exception {
        String sent = text.replace("_", "\r\n");
        Script endless = peer -> {
            peer.readRequest();
            peer.write(sent);
            String more = fill > 0 ? "x".repeat(100_000) : sent.repeat(1_000).replace("HTTP/1.1 200 OK\r\n", "");
            for (int left = fill > 0 ? fill / more.length() : Integer.MAX_VALUE; left > 0; left--) {
                peer.write(more);
            }
            peer.write("\r\nContent-Length: 0\r\n\r\n");
        };
        try (MisbehavingServer server = MisbehavingServer.start(endless)) {
            Target target = Target.of(server.uri());
            PreparedRequest request = new PreparedRequest(target, Operation.get("/"));
            try (TestConnection user = new EventConnections().to(target)) {
                assertThat(user.exchange(request).outcome()).isEqualTo(new Outcome.MalformedResponse(reason));
            }
        }
    }

    /** The rest of the request would be taken for the next one. */
    @Test
    void anEarlyAnswerClosesTheConnection() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        Script early = peer -> {
            peer.awaitFirstByte();
            peer.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
            // Not read before, so that the rest of the request can't be sent.
            answered.await();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(early, Script.BEHAVE)) {
            Target target = Target.of(server.uri());
            Operation large = Operation.post("/", Body.ofBytes(new byte[20_000_000]));
            try (TestConnection user = new EventConnections().to(target)) {
                Exchange first = user.exchange(new PreparedRequest(target, large));
                answered.countDown();
                Exchange second = user.exchange(new PreparedRequest(target, Operation.get("/")));

                assertThat(first.outcome()).isEqualTo(new Outcome.HttpFailure(413));
                assertThat(second.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(second.reconnected()).isFalse();
                assertThat(server.connections()).isEqualTo(2);
            }
        }
    }
}
