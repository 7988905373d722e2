package io.phaseload.websocket.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.phaseload.plan.Header;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Mqtt;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes by hand, as in MQTT 3.1.1, chapter 3. */
class MqttSessionTest {

    private static final String CONNACK = "20020000";

    private final List<String> events = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    private final MqttSession.Line line = new MqttSession.Line() {
        @Override
        public void ready() {
            events.add("ready");
        }

        @Override
        public void failed(String why) {
            events.add("failed: " + why);
        }

        @Override
        public void received(ByteBuf payload) {
            events.add("received: " + payload.toString(UTF_8));
        }

        @Override
        public void ponged() {
            events.add("ponged");
        }

        @Override
        public void ended(String why) {
            events.add("ended: " + why);
        }

        @Override
        public void writable() {
            events.add("writable");
        }
    };

    private static Target target(Header... headers) {
        return Target.of(URI.create("mqtt://localhost/a")).withHeaders(List.of(headers));
    }

    private MqttSession session(int qos, boolean subscribes) {
        MqttClients clients = new MqttClients(target(), Optional.of(Duration.ofSeconds(10)));
        MqttSession session = new MqttSession(clients, new Mqtt("r/{pair}", qos), 7, 1, subscribes, line);
        session.begin(channel, 100);
        return session;
    }

    private void comes(String hex) {
        channel.writeInbound(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
    }

    private String sent() {
        StringBuilder sent = new StringBuilder();
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            sent.append(ByteBufUtil.hexDump(bytes));
            bytes.release();
        }
        return sent.toString();
    }

    @Test
    void aReceiverSubscribesAndAcknowledges() {
        session(1, true);
        // Protocol level 4, clean session, a keep-alive of 21 s.
        assertThat(sent()).contains("00044d515454" + "04" + "02" + "0015");
        comes(CONNACK);
        assertThat(events).isEmpty();
        assertThat(sent()).isEqualTo("8208" + "0001" + "0003722f37" + "01");
        comes("9003" + "0001" + "01");
        comes("3209" + "0003722f37" + "0005" + "6869");
        assertThat(events).containsExactly("ready", "received: hi");
        assertThat(sent()).isEqualTo("40020005");
    }

    @Test
    void aSenderCountsWhatIsNotAcknowledged() {
        MqttSession session = session(1, false);
        comes(CONNACK);
        sent();
        for (int i = 0; i < 0xffff; i++) {
            assertThat(session.isWritable()).isTrue();
            session.publish(Unpooled.EMPTY_BUFFER);
        }
        assertThat(session.isWritable()).isFalse();
        assertThat(sent()).startsWith("3207" + "0003722f37" + "0001").endsWith("0003722f37" + "ffff");
        comes("40020001");
        assertThat(events).containsExactly("ready", "writable");
        session.publish(Unpooled.EMPTY_BUFFER);
        assertThat(sent()).endsWith("0003722f37" + "0001");
    }

    @ParameterizedTest
    @CsvSource({
        "20020001, 'failed: not connected, refused: unacceptable protocol version'",
        "20020004, 'failed: not connected, refused: bad user name or password'",
        "20020005, 'failed: not connected, refused: not authorized'",
        "200200009003000180, 'failed: not subscribed: refused'",
        "20020000900300010050020001, 'ended: protocol error'",
        "485454502f312e312034, 'ended: protocol error'",
        "30ffffffff7f, 'ended: protocol error'",
        "30ffff7f, 'ended: too long a message'"
    })
    void refusalsAndMistakesHaveACause(String bytes, String last) {
        session(1, true);
        comes(bytes);
        assertThat(events).last().isEqualTo(last);
    }

    @Test
    void pongsWithoutEndEndIt() {
        session(0, false);
        comes(CONNACK);
        comes("d000".repeat(100_001));
        assertThat(events).last().isEqualTo("ended: more than 100000 packets without progress");
    }

    @Test
    void randomBytesEndItOrNot() {
        SplittableRandom random = new SplittableRandom(1);
        session(1, true);
        for (int i = 0; i < 2_000 && channel.isActive(); i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        }
        channel.checkException();
    }

    @Test
    void tcpHasNoHeadersButALogin() {
        assertThatThrownBy(() -> new MqttClients(target(new Header("Cookie", "a=b")), Optional.empty()))
                .hasMessage("header Cookie cannot be combined with mqtt://, which has only a user and a password (-u)");
        MqttClients clients = new MqttClients(target(new Header("Authorization", "Basic YTpiOmM=")), Optional.empty());
        assertThat(clients.connect(1, 2).payload().userName()).isEqualTo("a");
        assertThat(clients.connect(1, 2).payload().passwordInBytes())
                .asString(UTF_8)
                .isEqualTo("b:c");
        assertThat(clients.connect(999_999, 64).payload().clientIdentifier()).matches("[0-9a-z]{1,23}");
    }
}
