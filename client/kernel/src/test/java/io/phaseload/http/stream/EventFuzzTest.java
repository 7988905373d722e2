package io.phaseload.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.response.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever comes as a stream of events, in whatever pieces: the same events. */
class EventFuzzTest {

    private static final List<byte[]> CORPUS = Fuzz.texts(
            "data: x\n\ndata: y\ndata: z\r\n\r\n",
            "\u00ef\u00bb\u00bfid: 5\revent: note\rdata\r\r",
            ": comment\n\nretry: 250\n\nid: 6\0\nid\ndata: {\"a\": 1}\n\n");

    private static final List<String> WORDS =
            List.of("\r", "\n", "\r\n", ":", " ", "\0", "data", "id: ", "event:", "retry: 9", "\u00ef");

    @Test
    void anyPiecesAreTheSameEvents() {
        assertThat(Fuzz.run(CORPUS, WORDS, EventFuzzTest::check)).isPositive();
    }

    private static void check(byte[] input, Random random) {
        String whole = events(input, input.length, random);
        assertThat(events(input, 1, random)).isEqualTo(whole);
        assertThat(events(input, 0, random)).isEqualTo(whole);
    }

    private static String events(byte[] input, int piece, Random random) {
        EventParser parser = new EventParser();
        parser.begin();
        StringBuilder events = new StringBuilder();
        int at = 0;
        while (at < input.length) {
            int to = Math.min(input.length, at + (piece > 0 ? piece : 1 + random.nextInt(9)));
            while (at < to) {
                if (parser.read(input, at, to) == EventParser.ReadResult.EVENT) {
                    events.append(parser.type())
                            .append(' ')
                            .append(parser.lastId())
                            .append(' ');
                    events.append(new String(parser.data(), StandardCharsets.ISO_8859_1));
                }
                at = parser.position();
            }
        }
        return events.append(parser.retryMillis()).toString();
    }
}
