package io.phaseload.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.limit.ProgressBudget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams as WHATWG HTML §9.2.6 has them; the first ones are its own examples. */
class EventParserTest {

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    'data: YHOO|data: +2|data: 10||', 'message:YHOO/+2/10:'
                    ': test stream||data: first event|id: 1||data:second event|id||data:  third event||', 'message:first event:1 message:second event: message: third event:'
                    'data||data|data||data:', 'message:: message:/:'
                    'data:test||data: test||', 'message:test: message:test:'
                    'event: add|data: 73||event: remove|data: 21||data: x||', 'add:73: remove:21: message:x:'
                    'event: none||data: x||', 'message:x:'
                    'id: 7||data: x||', 'message:x:7'
                    'id: 7|data: x||data: y||', 'message:x:7 message:y:7'
                    'foo: bar|datax: y|data: x||', 'message:x:'
                    'data: ü€😀||', 'message:ü€😀:'
                    'data: not finished', ''
                    """)
    void eventsAreFoundWhateverTheLinesAndChunks(String stream, String expected) {
        for (String end : List.of("\n", "\r", "\r\n")) {
            byte[] bytes = stream.replace("|", end).getBytes(StandardCharsets.UTF_8);
            for (int chunk = 1; chunk <= bytes.length; chunk++) {
                assertThat(String.join(" ", events(new EventParser(), bytes, chunk)))
                        .as("lines end with %s, chunks of %d", end.length(), chunk)
                        .isEqualTo(expected == null ? "" : expected);
            }
        }
    }

    /** With CR, an event is there before anything follows. */
    @Test
    void anEventDoesNotWaitForTheNextLine() {
        assertThat(events(new EventParser(), "data: x\r\r".getBytes(StandardCharsets.UTF_8), 100))
                .containsExactly("message:x:");
    }

    @Test
    void oneByteOrderMarkIsSkipped() {
        String mark = "\uFEFF";

        assertThat(events(new EventParser(), utf8(mark + "data: x\n\n"), 2)).containsExactly("message:x:");
        assertThat(events(new EventParser(), utf8(mark + mark + "data: x\n\ndata: y\n\n"), 3))
                .containsExactly("message:y:");
    }

    @Test
    void retryIsDigitsOnly() {
        EventParser parser = new EventParser();
        assertThat(parser.retryMillis()).isNegative();

        events(parser, utf8("retry: 250\n\nretry: 1s\n\nretry: -3\n\nretry:\n\n"), 5);

        assertThat(parser.retryMillis()).isEqualTo(250);
    }

    @Test
    void anIdWithNulIsNone() {
        EventParser parser = new EventParser();

        events(parser, utf8("id: 5\ndata: x\n\nid: 6\0\ndata: y\n\n"), 4);

        assertThat(parser.lastId()).isEqualTo("5");
    }

    /** What was cut off is forgotten; the last id stays for what comes then. */
    @Test
    void anotherConnectionBeginsAnew() {
        EventParser parser = new EventParser();
        events(parser, utf8("id: 5\ndata: x\n\nid: 6\nevent: cut\ndata: off"), 4);

        assertThat(events(parser, utf8("data: y\n\n"), 4)).containsExactly("message:y:5");
    }

    @Test
    void aMebibyteIsTooLong() {
        EventParser parser = new EventParser();
        parser.begin();
        byte[] line = utf8("data: " + "x".repeat(1_000) + "\n");
        EventParser.ReadResult found = EventParser.ReadResult.NOTHING;
        int read = 0;
        while (found == EventParser.ReadResult.NOTHING) {
            int at = 0;
            while (at < line.length && found == EventParser.ReadResult.NOTHING) {
                found = parser.read(line, at, line.length);
                at = parser.position();
            }
            read += line.length;
        }

        assertThat(found).isEqualTo(EventParser.ReadResult.TOO_LONG);
        assertThat(read).isBetween(1 << 20, (1 << 20) + 20_000);
    }

    @Test
    void commentsHaveAnEnd() {
        EventParser parser = new EventParser();
        parser.begin();
        String comments = ": still here\n\n".repeat(ProgressBudget.PIECES / 2 - 1);
        byte[] alive = utf8(comments + "data: x\n\n" + comments);
        assertThat(parser.read(alive, 0, alive.length)).isEqualTo(EventParser.ReadResult.EVENT);
        assertThat(parser.read(alive, parser.position(), alive.length)).isEqualTo(EventParser.ReadResult.NOTHING);

        byte[] more = utf8(":\n:\n:\n");
        assertThat(parser.read(more, 0, more.length)).isEqualTo(EventParser.ReadResult.TOO_MANY);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Each as type, data with a slash for a line's end, and id. */
    private static List<String> events(EventParser parser, byte[] bytes, int chunk) {
        parser.begin();
        List<String> events = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += chunk) {
            int to = Math.min(bytes.length, from + chunk);
            int at = from;
            while (at < to) {
                if (parser.read(bytes, at, to) == EventParser.ReadResult.EVENT) {
                    String data = new String(parser.data(), StandardCharsets.UTF_8);
                    events.add("%s:%s:%s".formatted(parser.type(), data.replace('\n', '/'), parser.lastId()));
                }
                at = parser.position();
            }
        }
        return events;
    }
}
