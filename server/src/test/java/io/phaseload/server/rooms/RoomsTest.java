package io.phaseload.server.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RoomsTest {

    private TargetServer server;

    @BeforeEach
    void start() throws Exception {
        server = TargetServer.start(
                ServerSettings.builder().port(0).maxBodyBytes(100_000).build());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aMessageGoesToTheOthersInTheRoom() throws Exception {
        Visitor sender = enter("a");
        Visitor partner = enter("a");
        Visitor third = enter("a");
        Visitor elsewhere = enter("b");
        sender.socket.sendText("hé", true).join();
        sender.socket.sendBinary(ByteBuffer.wrap(new byte[] {1, 2}), true).join();
        assertThat(partner.next()).isEqualTo("hé");
        assertThat(partner.next()).isEqualTo("2 bytes");
        assertThat(third.next()).isEqualTo("hé");
        assertThat(third.next()).isEqualTo("2 bytes");
        elsewhere.socket.sendText("nobody", true).join();
        await(counts -> counts.received() == 3 && counts.waiting() == 0);
        assertThat(server.messages()).isEqualTo(new MessageCounts(4, 4, 3, 1, 4, 0, 0, 0, 0, 0, 0, 0));
        assertThat(sender.heard).isEmpty();
        assertThat(server.requestsServed()).isZero();
        assertThat(metrics()).contains("\"rooms\":{\"connections\":4,\"opened\":4,\"received\":3");
    }

    @Test
    void anEchoGoesToTheSenderAndABroadcastToAll() throws Exception {
        Visitor echo = enter("a?mode=echo");
        Visitor all = enter("a?mode=broadcast");
        echo.socket.sendText("one", true).join();
        assertThat(echo.next()).isEqualTo("one");
        all.socket.sendText("two", true).join();
        assertThat(all.next()).isEqualTo("two");
        assertThat(echo.next()).isEqualTo("two");
    }

    @Test
    void everyNthMessageIsLostOrRepeatedOrLate() throws Exception {
        Visitor partner = enter("a");
        send(enter("a?lose=3"), "1", "2", "3", "4");
        assertThat(partner.next() + partner.next() + partner.next()).isEqualTo("124");
        send(enter("a?repeat=2&mode=relay&delay=20"), "5", "6");
        assertThat(partner.next() + partner.next() + partner.next()).isEqualTo("566");
        send(enter("a?swap=2"), "7", "8", "9");
        assertThat(partner.next() + partner.next() + partner.next()).isEqualTo("798");
        // By then there are one, two and three receivers.
        await(counts -> counts.received() == 9 && counts.waiting() == 0);
        assertThat(server.messages().lost()).isEqualTo(1);
        assertThat(server.messages().repeated()).isEqualTo(2);
        assertThat(server.messages().delivered()).isEqualTo(3 + 2 * 3 + 3 * 3);
    }

    @Test
    void delaysAndStallsHoldMessages() throws Exception {
        Visitor partner = enter("a");
        long start = System.nanoTime();
        send(enter("a?delay=300"), "1");
        assertThat(partner.next()).isEqualTo("1");
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(300));
        start = System.nanoTime();
        send(enter("a?stall=300&after=2"), "2", "3", "4");
        assertThat(partner.next()).isEqualTo("2");
        assertThat(partner.next()).isEqualTo("3");
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(partner.next()).isEqualTo("4");
    }

    @Test
    void aRoomClosesConnectionsOnRequestAndForBadQueriesAndLongMessages() throws Exception {
        Visitor asked = enter("a?close=4001&after=1");
        send(asked, "1");
        assertThat(asked.next()).isEqualTo("closed 4001 after 1");
        assertThat(enter("a?lose=none").next())
                .isEqualTo("closed 1008 lose: expected a whole number from 1 to 1000000000");
        assertThat(enter("a?mode=shout").next()).isEqualTo("closed 1008 mode: expected relay, echo or broadcast");
        Visitor longest = enter("a?mode=echo");
        send(longest, "x".repeat(100_000));
        assertThat(longest.next()).hasSize(100_000);
        longest.socket.sendText("x".repeat(100_001), true).join();
        assertThat(longest.next()).isEqualTo("closed 1009 a message is longer than 100000");
    }

    @Test
    void whoeverIsStillThereIsSentAwayWhenTheServerStops() throws Exception {
        Visitor one = enter("a");
        send(enter("a?delay=60000"), "kept");
        await(counts -> counts.received() == 1);
        server.close();
        assertThat(one.next()).isEqualTo("closed 1001 the server stops");
        assertThat(server.messages().connections()).isZero();
        assertThat(server.messages().undelivered()).isEqualTo(1);
        assertThat(server.messages().waiting()).isZero();
    }

    private static void send(Visitor sender, String... messages) {
        for (String message : messages) {
            sender.socket.sendText(message, true).join();
        }
    }

    private void await(Predicate<MessageCounts> wanted) throws Exception {
        while (!wanted.test(server.messages())) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private String metrics() throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(server.url().resolve("metrics.json"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private Visitor enter(String room) throws Exception {
        MessageCounts before = server.messages();
        Visitor visitor = new Visitor();
        URI url = URI.create(server.url().toString().replace("http:", "ws:") + "rooms/" + room);
        visitor.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(url, visitor)
                .join();
        await(counts -> counts.opened() > before.opened());
        return visitor;
    }

    /** Hears what arrives, as text. */
    private static final class Visitor implements WebSocket.Listener {

        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();
        private WebSocket socket;

        String next() throws InterruptedException {
            return heard.poll(30, TimeUnit.SECONDS);
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                heard.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            heard.add(data.remaining() + " bytes");
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            heard.add("closed " + code + " " + reason);
            return null;
        }
    }
}
