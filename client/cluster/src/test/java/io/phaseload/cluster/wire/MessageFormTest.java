package io.phaseload.cluster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.TimeService;
import io.phaseload.measure.Counters;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Tally;
import io.phaseload.measure.TraceContext;
import io.phaseload.measure.Values;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.check.Metric;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.Timing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Messages arrive as they were sent, and nothing else passes for one. */
class MessageFormTest {

    private static final String PHASE = "peak";

    /** Two operations, and a journey. */
    private static final Scenario SCENARIO =
            Scenario.of(Journeys.of(Journey.named("j").step(Step.get("/a")).step(Step.get("/b"))));

    @Test
    void anIntervalArrivesWithoutLoss() {
        Interval sent = interval(new Random(1));

        Message.SecondDone second =
                (Message.SecondDone) read(MessageForm.write(new Message.SecondDone("r", IntervalForm.of(sent))));
        Interval arrived = second.interval().interval(SCENARIO);

        assertThat(arrived.phase()).isEqualTo(PHASE);
        assertThat(arrived.start()).isEqualTo(sent.start());
        assertThat(arrived.length()).isEqualTo(sent.length());
        assertThat(arrived.client()).isEqualTo(sent.client());
        assertThat(arrived.server()).isEqualTo(sent.server());
        List<Tally> all = new ArrayList<>(sent.operations());
        all.addAll(sent.journeys());
        List<Tally> read = new ArrayList<>(arrived.operations());
        read.addAll(arrived.journeys());
        assertThat(read).hasSize(3);
        for (int i = 0; i < 3; i++) {
            Tally was = all.get(i);
            Tally is = read.get(i);
            assertThat(is.histograms()).isEqualTo(was.histograms());
            assertThat(is.counters()).isEqualTo(was.counters());
            assertThat(is.causes()).isEqualTo(was.causes());
            assertThat(is.warnings()).isEqualTo(was.warnings());
            assertThat(is.unchecked()).isEqualTo(was.unchecked());
            assertThat(is.metrics()).isEqualTo(was.metrics());
            assertThat(is.slowest()).isEqualTo(was.slowest());
        }
    }

    @Test
    void aPlanArrivesWithItsFiles() {
        Message.RunOrder order = new Message.RunOrder(
                "r",
                JsonNodeFactory.instance.objectNode().put("name", "a"),
                Map.of("key", "abc"),
                List.of(new SentFile("data/rows.csv", 3, "00ff")),
                60_000_000_000L,
                List.of(new Message.Dealt("one", "id", "1/1")));

        Message.RunOrder read = (Message.RunOrder) read(MessageForm.write(order));

        assertThat(read).isEqualTo(order);
        Message.PartnerBytes between = new Message.PartnerBytes("r", new byte[] {4, 5});
        assertThat(((Message.PartnerBytes) read(MessageForm.write(between))).bytes())
                .containsExactly(4, 5);
        Message.FilePiece piece = new Message.FilePiece("r", 0, 1, new byte[] {1, 2, 3});
        assertThat(((Message.FilePiece) read(MessageForm.write(piece))).bytes()).containsExactly(1, 2, 3);
    }

    @Test
    void answersOfClocksArriveWithAndWithoutChrony() {
        for (Optional<TimeService> kept : List.of(Optional.<TimeService>empty(), Optional.of(new TimeService(-7, 8)))) {
            Message.ClockPong pong = new Message.ClockPong(1, 2, 3, 4, 5, kept);

            assertThat(read(MessageForm.write(pong))).isEqualTo(pong);
        }
        Message.Compared compared = new Message.Compared("r", "two", List.of(new ClockExchange(1, 2, 3, 4)));

        assertThat(read(MessageForm.write(compared))).isEqualTo(compared);
        Message.Compare compare = new Message.Compare("r", List.of("two"), 7);
        assertThat(read(MessageForm.write(compare))).isEqualTo(compare);
    }

    /** Whatever is cut, changed or added: a message, or a refusal, and nothing else. */
    @Test
    void damagedMessagesAreRefused() {
        Random random = new Random(7);
        byte[] whole = MessageForm.write(new Message.SecondDone("r", IntervalForm.of(interval(random))));
        for (int i = 0; i < 500; i++) {
            byte[] damaged = whole.clone();
            int changes = 1 + random.nextInt(4);
            for (int j = 0; j < changes; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextBoolean() ? damaged.length : random.nextInt(damaged.length);
            try {
                if (MessageForm.read(damaged, 0, length) instanceof Message.SecondDone second) {
                    second.interval().interval(SCENARIO);
                }
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "7",
                "{}",
                "{\"type\":\"unknown\"}",
                "{\"type\":\"ClockPing\"}",
                "{\"type\":\"ClockPing\",\"sent\":\"x\"}",
                "{\"type\":\"ClockPing\",\"sent\":1} {}",
                "{\"type\":\"Hello\",\"version\":null,\"name\":\"a\",\"weight\":1,\"host\":\"h\"}",
                "{\"type\":\"Compared\",\"run\":\"r\",\"agent\":\"two\",\"exchanges\":[]}",
                "{\"type\":\"java.util.HashMap\"}",
                "{\"@class\":\"java.util.HashMap\"}"
            })
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> read(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsTooLargeIsRefused() {
        assertThatThrownBy(() -> MessageForm.read(new byte[0], 0, MessageForm.MOST_BYTES + 1))
                .hasMessageContaining("a message of");
        assertThatThrownBy(() -> MessageForm.write(new Message.Failed("r", "x".repeat(MessageForm.MOST_BYTES))))
                .hasMessageContaining("expected at most");
    }

    private static Message read(byte[] bytes) {
        return MessageForm.read(bytes, 0, bytes.length);
    }

    private static Interval interval(Random random) {
        return new Interval(
                PHASE,
                Duration.ofNanos(123_456_789),
                Duration.ofNanos(1_000_000_007),
                List.of(tally(random), new Tally()),
                List.of(tally(random)),
                new HostFigures(Map.of("cpu", 0.7)),
                Optional.of(new HostFigures(Map.of("busy", 0.1))));
    }

    private static Tally tally(Random random) {
        Histogram response = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 0; i < 1_000; i++) {
            response.recordValue(random.nextLong(1_000_000_000L));
        }
        Histogram failed = new Histogram(1, 3_600_000_000_000L, 3);
        failed.recordValue(5);
        Tally tally = Tally.of(
                Map.of(Timing.RESPONSE, response, Timing.FAILED, failed),
                Map.of("http 503", new Tally.Failures(1, "later")),
                new Counters(1_000, 3, 4_000, 5, 6, Map.of(200, 999L, 503, 1L), Map.of(InstanceState.COLD, 2L)),
                Map.of(Metric.parse("elapsed=/time:ms"), new Values(2, 3.5, 1, 2.5)));
        tally.addWarnings(Map.of("check type=json", new Tally.Failures(7, "no Content-Type")));
        tally.addUnchecked(Map.of("check body!~'a'", new Tally.Failures(8, "")));
        tally.keep(List.of(kept(Optional.of(TraceContext.of(1, 2, 3)), Map.of("X-Request-Id", "r-1"))));
        tally.keep(List.of(kept(Optional.empty(), Map.of())));
        return tally;
    }

    private static KeptRequest kept(Optional<TraceContext> trace, Map<String, String> headers) {
        return new KeptRequest(
                Instant.EPOCH,
                "GET /",
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                200,
                new KeptRequest.RequestTimes(
                        1.5, 0, Optional.empty(), Optional.of(1.25), Optional.of(0.25), Optional.empty()),
                false,
                Optional.empty(),
                trace,
                headers);
    }
}
