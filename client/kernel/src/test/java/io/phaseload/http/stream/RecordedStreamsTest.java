package io.phaseload.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Outcome;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Streams as the documentation of models' APIs shows them, with invented texts: after a line such as {@code @50} comes
 * what arrives after 50 ms.
 */
class RecordedStreamsTest {

    private static final long START = 1_000_000_000_000L;

    private final List<Long> firstTokens = new ArrayList<>();
    private final List<Long> firstOutputs = new ArrayList<>();
    private final List<Long> gaps = new ArrayList<>();

    private final EventListener listener = new EventListener() {
        @Override
        public void first(Timing kind, long readyNanos, boolean fresh, long nowNanos) {
            (kind == StreamTimings.FIRST_EVENT ? firstTokens : firstOutputs).add(millis(nowNanos - readyNanos));
        }

        @Override
        public void timed(Timing kind, long nanos) {
            assertThat(kind).isEqualTo(StreamTimings.EVENT_GAP);
            gaps.add(millis(nanos));
        }
    };

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    openai-chat      | openai           | 50 | 50  | 20 25
                    openai-reasoning | openai           | 50 | 454 | 30 370 4 20
                    openai-tools     | openai           | 35 | -   | 25 25 25
                    openai-responses | openai-responses | 50 | 300 | 250 30 10
                    anthropic        | anthropic        | 55 | 200 | 35 110 60
                    openai-call      | openai           | 40 | -   | -
                    openai-responses-call | openai-responses | 42 | - | -
                    anthropic-call   | anthropic        | 45 | -   | -
                    """)
    void firstTokenFirstOutputAndGaps(String recording, String preset, long token, Long output, String between)
            throws Exception {
        assertThat(replayed(recording, preset)).isEqualTo(Outcome.SUCCESS);

        assertThat(firstTokens).containsExactly(token);
        assertThat(firstOutputs).isEqualTo(output == null ? List.of() : List.of(output));
        assertThat(gaps)
                .isEqualTo(
                        between == null
                                ? List.of()
                                : List.of(between.split(" ")).stream()
                                        .map(Long::valueOf)
                                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "openai-reasoning, events content=/choices/0/delta/content until=[DONE], 454",
        "openai-reasoning, 'events content=/no,/choices/0/delta/reasoning_content until=[DONE]', 50"
    })
    void thePlacesOfAPlanReplaceThoseOfThePreset(String recording, String stream, long token) throws Exception {
        assertThat(replayed(recording, stream)).isEqualTo(Outcome.SUCCESS);

        assertThat(firstTokens).containsExactly(token);
        assertThat(firstOutputs).isEmpty();
    }

    private Outcome replayed(String recording, String stream) throws Exception {
        EventReader reader = new EventReader(EventStream.parse(stream), listener, TimeUnit.SECONDS.toNanos(5));
        reader.begin(START, false, limit -> {});
        reader.accepts(200, "Content-Type: text/event-stream\n".getBytes(StandardCharsets.UTF_8));
        String text;
        try (InputStream in = getClass().getResourceAsStream(recording + ".txt")) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (String part : text.substring(1).split("\n@")) {
            String[] timeAndBytes = part.split("\n", 2);
            byte[] bytes = (timeAndBytes[1] + "\n").getBytes(StandardCharsets.UTF_8);
            long now = START + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(timeAndBytes[0]));
            reader.read(bytes, 0, bytes.length, now);
        }
        return reader.outcome();
    }
}
