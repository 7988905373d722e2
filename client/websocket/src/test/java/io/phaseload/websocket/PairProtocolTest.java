package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.settings.SettingsFile;
import io.phaseload.timing.MessageTimings;
import io.phaseload.websocket.FrameServer.Frame;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pairs that speak a protocol which their plan describes. */
@Tag("slow")
@Timeout(60)
class PairProtocolTest {

    private static final String PROTOCOL =
            """
            variables: {word: hush}
            pairs:
              address: /line
              subprotocols: [v1.lines]
              open:
                - send: "HELLO {pair} {place} {word}"
                - expect: {text: {matches: "^WELCOME"}, within: 300ms}
                  name: welcome
                  extract: {id: "regex:id=([0-9]+)"}
              message: "SAY {ref} {id} <{message}>"
              received: {after: "<"}
              answers:
                - to: {text: "PING {id}"}
                  with: "PONG {ref}"
              refused: "regex:^NO (.*)"
            """;

    private final List<String> received = new CopyOnWriteArrayList<>();

    @Test
    void itsOpeningMessagesAnswersAndPayloadsAreThoseOfTheDescription() throws Exception {
        Figures totals = run(PROTOCOL, 20, text -> switch (word(text)) {
                    case "HELLO" -> List.of("PING ", "WELCOME id=42");
                        // Two in one, of which the other is another pair's.
                    case "SAY" -> List.of("SAID " + text.replaceFirst("<.*", "<0000000000000009 x> ") + payload(text));
                    default -> List.of("noise", "PING 42");
                })
                .totals();

        assertThat(totals.failures()).isEmpty();
        assertThat(totals.succeeded()).isEqualTo(20);
        assertThat(totals.time(MessageTimings.DELIVERY).samples()).isEqualTo(20);
        assertThat(received.get(0)).isEqualTo("HELLO 0 0 hush");
        // A ping before its value is known is none.
        assertThat(received.get(1)).matches("PONG 1|SAY 1 42 <.*");
        assertThat(received.stream().filter(text -> text.startsWith("SAY")).toList())
                .hasSize(20)
                .allMatch(text -> text.matches("SAY [0-9]+ 42 <[0-9a-f]{16} [0-9a-f]{16} [0-9a-f]{16} x{149}>"));
        List<String> numbers =
                received.stream().skip(1).map(text -> text.split(" ")[1]).toList();
        assertThat(numbers)
                .isEqualTo(IntStream.rangeClosed(1, numbers.size())
                        .mapToObj(Integer::toString)
                        .toList());
    }

    @Test
    void otherMessagesAreCounted() throws Exception {
        String quiet = PROTOCOL.replace("{ref} ", "");
        Figures totals = run(
                        quiet,
                        10,
                        text -> text.startsWith("HELLO")
                                ? List.of("WELCOME id=1")
                                : List.of("OK", "SAID " + payload(text), "PING 1"))
                .totals();

        assertThat(totals.succeeded()).isEqualTo(10);
        // Each PONG is answered by another one with an OK.
        assertThat(totals.time(MessageTimings.IGNORED).samples()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void anOpeningThatFailsHasACauseOfItsOwn() throws Exception {
        assertLost(text -> List.of("HM"), "lost: not subscribed: welcome not received within 300ms");
        assertLost(text -> List.of("NO room"), "lost: not subscribed: refused: room");
        assertLost(text -> List.of("WELCOME"), "lost: not subscribed: no id in welcome");
        assertLost(text -> null, "lost: not subscribed: closed 1006");
    }

    @Test
    void theLastMessageIsADetailOfAnOpeningThatFails() throws Exception {
        Result result = run(PROTOCOL, 2, text -> List.of("HM HM"));

        assertThat(result.phases().get(0).operations().get(0).failedRequests())
                .extracting(kept -> kept.message().orElse(""))
                .contains("the last message was HM HM");
    }

    @Test
    void aRefusalIsTheCauseOfWhatIsLost() throws Exception {
        assertLost(
                text -> text.startsWith("HELLO") ? List.of("WELCOME id=1") : List.of("NO more\u0007 today"),
                "lost: refused: more today");
    }

    @Test
    void messagesMayBeBytes() throws Exception {
        String binary = PROTOCOL.replace(
                "\"SAY {ref} {id} <{message}>\"", "{binary: \"hex:0102{hex:{id}}3c{hex:{message}}ff\"}");
        assertThat(run(
                                binary,
                                10,
                                text -> text.startsWith("HELLO")
                                        ? List.of("WELCOME id=7")
                                        : List.of("SAID " + payload(text.substring(2))))
                        .totals()
                        .succeeded())
                .isEqualTo(10);
        assertThat(received)
                .filteredOn(text -> text.startsWith("\u0001\u00027<"))
                .hasSize(10);
    }

    @Test
    void aValueThatIsNotHexadecimalEndsTheConnection() throws Exception {
        String binary = PROTOCOL.replace("\"SAY {ref} {id} <{message}>\"", "{binary: \"hex:{id}{hex:{message}}\"}");
        assertThat(run(binary, 2, text -> List.of("WELCOME id=7")).totals().failures())
                .isEqualTo(Map.of("lost: not subscribed: a value that isn't hexadecimal", 2L));
    }

    @Test
    void messagesAreSentByATimer() throws Exception {
        String beating = PROTOCOL + "  every: [{period: 100ms, send: 'BEAT {ref}'}]\n";
        run(beating, 10, text -> text.startsWith("HELLO") ? List.of("WELCOME id=1") : List.of("SAID " + payload(text)));

        assertThat(received).anyMatch(text -> text.startsWith("BEAT"));
    }

    private void assertLost(Function<String, List<String>> server, String cause) throws Exception {
        assertThat(run(PROTOCOL, 2, server).totals().failures()).isEqualTo(Map.of(cause, 2L));
    }

    private static String word(String text) {
        return text.split(" ")[0];
    }

    private static String payload(String text) {
        return text.replaceFirst(".*<", "<");
    }

    private Result run(String protocol, int messages, Function<String, List<String>> server) throws Exception {
        try (FrameServer frames =
                new FrameServer(ServerSocketFactory.getDefault(), "Sec-WebSocket-Protocol: v1.lines\r\n", message -> {
                    String text = new String(message.payload(), StandardCharsets.UTF_8);
                    received.add(text);
                    List<String> answers = server.apply(text);
                    return answers == null ? null : frames(answers);
                })) {
            String yaml = protocol
                    + "target: {url: '"
                    + frames.url("ws").resolve("/")
                    + "', responseTimeout: 1s}\nthreads: 1\nengine: {name: websocket, subscribers: 0}\n"
                    + "phases: [{name: peak, share: 1, iterations: " + messages + ", load: {model: open, arrivals: "
                    + "{kind: constant, rate: 40/s}, overload: queue}}]\n";
            Plan plan = PlanFile.of(
                    SettingsFile.parse("plan.yaml", "plan.yaml", yaml.getBytes(StandardCharsets.UTF_8)),
                    Optional.empty());
            assertThat(plan.target().uri().getPath()).isEqualTo("/line");
            // As it is kept, it is the same.
            Plan again = PlanFile.ofShared(PlanFile.toSharedJson(plan));
            assertThat(again).isEqualTo(plan);
            return ThreadsLoadClient.of(plan).run();
        }
    }

    private static Frame frames(List<String> texts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        texts.forEach(text -> all.writeBytes(new Frame(0x81, text.getBytes(StandardCharsets.UTF_8), false).bytes()));
        return new Frame(0, all.toByteArray(), true);
    }
}
