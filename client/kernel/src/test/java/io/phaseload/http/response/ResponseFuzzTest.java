package io.phaseload.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever a server sends, in whatever pieces: the same outcome, by no other exception than the one that says so, and
 * no response that another, simpler reader doesn't find complete.
 */
class ResponseFuzzTest {

    private static final List<byte[]> CORPUS = Fuzz.texts(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
                    + "a;b=c\r\n0123456789\r\n1\r\nx\r\n000\r\nA: b\r\n c\r\n\r\n",
            "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 100\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
            "HTTP/1.0 404 Not\nConnection: keep-alive\nContent-Length:\n 2\n\nno",
            "HTTP/1.1 200 OK\r\nRetry-After: 5\r\n\r\nto the end");

    private static final List<String> WORDS = List.of(
            "\r\n",
            "\n",
            "\r",
            "\0",
            " ",
            "\t",
            ":",
            ";",
            ",",
            "-",
            "+",
            "0x",
            "\r\n\r\n",
            "0\r\n\r\n",
            "Content-Length: 0\r\n",
            "Content-Length: 18446744073709551616\r\n",
            "Transfer-Encoding: chunked\r\n",
            "transfer-encoding: identity\r\n",
            "HTTP/1.1 ",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "ffffffffffffffff",
            "7fffffffffffffff",
            "9223372036854775807",
            "Connection: close\r\n",
            "5, 5");

    @Test
    void anyPiecesHaveTheSameOutcomeAndNoSuccessIsIncomplete() {
        assertThat(Fuzz.run(CORPUS, WORDS, ResponseFuzzTest::check)).isPositive();
    }

    private static void check(byte[] input, Random random) {
        ResponseParser parser = new ResponseParser();
        String whole = outcome(parser, input, input.length, random);
        assertThat(outcome(new ResponseParser(), input, 1, random)).isEqualTo(whole);
        assertThat(outcome(new ResponseParser(), input, 0, random)).isEqualTo(whole);
        if (whole.startsWith("done")) {
            int end = Integer.parseInt(whole.split(" ")[1]);
            assertThat(isComplete(new String(input, 0, end, StandardCharsets.ISO_8859_1), false))
                    .as(whole)
                    .isTrue();
        } else if (whole.startsWith("ended")) {
            assertThat(isComplete(new String(input, StandardCharsets.ISO_8859_1), true))
                    .as(whole)
                    .isTrue();
        }
    }

    /** A server that never comes to its response. */
    @Test
    void interimResponsesAreNoResponse() throws MalformedException {
        byte[] interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
        ResponseParser parser = new ResponseParser();
        parser.begin(false, false);
        for (int i = 0; i < 1_000; i++) {
            parser.parse(interim, 0, interim.length);
            assertThat(parser.done() || parser.headRead() || parser.endOfStream())
                    .isFalse();
        }
    }

    /** Reads pieces of a length, or of random ones. */
    private static String outcome(ResponseParser parser, byte[] input, int piece, Random random) {
        parser.begin(false, random.nextBoolean(), random.nextBoolean(), null);
        int at = 0;
        try {
            while (at < input.length && !parser.done()) {
                int length = piece > 0 ? piece : 1 + random.nextInt(9);
                int to = Math.min(input.length, at + length);
                at += parser.skip(to - at);
                at = parser.parse(input, at, to);
            }
        } catch (MalformedException e) {
            return "malformed " + e.getMessage();
        }
        String state = parser.done() ? "done" : parser.endOfStream() ? "ended" : "more";
        return "%s %d %b %b".formatted(state, at, parser.headRead(), parser.done() && parser.keepsConnection());
    }

    /**
     * Whether a text is a response with nothing missing and nothing behind it.
     *
     * @param toEnd whether the end of the connection is the end of its body
     */
    private static boolean isComplete(String text, boolean toEnd) {
        String rest = text.replaceFirst("^(\r?\n)+", "");
        int head = endOfHead(rest);
        if (head < 0) {
            return false;
        }
        String lines = rest.substring(0, head).replaceAll("\r?\n[ \t]+", " ");
        String body = rest.substring(head);
        String status = lines.replaceFirst("(?s)^HTTP/1\\.\\d[ \t]+(\\d{3}).*", "$1");
        if (status.startsWith("1")) {
            return isComplete(body, toEnd);
        }
        String lower = lines.toLowerCase(Locale.ROOT);
        if (status.equals("204") || status.equals("304")) {
            return body.isEmpty() && !toEnd;
        }
        if (lower.matches("(?s).*\ntransfer-encoding:[ \t]*chunked[ \t]*\r?\n.*")) {
            return isChunks(body) && !toEnd;
        }
        String length = lower.replaceFirst("(?s).*?\ncontent-length:[ \t]*([0-9]+)[ \t]*\r?\n.*", "$1");
        if (toEnd) {
            return status.matches("[2-9][0-9]{2}") && !length.matches("[0-9]+");
        }
        return length.matches("[0-9]+") && Long.parseLong(length) == body.length();
    }

    private static int endOfHead(String text) {
        int at = 0;
        while (true) {
            int end = text.indexOf('\n', at);
            if (end < 0) {
                return -1;
            }
            if (text.substring(at, end).replace("\r", "").isEmpty()) {
                return end + 1;
            }
            at = end + 1;
        }
    }

    private static boolean isChunks(String body) {
        String rest = body;
        while (true) {
            int end = rest.indexOf('\n');
            if (end < 0) {
                return false;
            }
            String size = rest.substring(0, end).replaceAll("(?s);.*", "").strip();
            long length = Long.parseUnsignedLong(size.replaceFirst("^0+(?=.)", ""), 16);
            rest = rest.substring(end + 1);
            if (length == 0) {
                return endOfHead(rest) == rest.length();
            }
            if (length < 0 || length > rest.length()) {
                return false;
            }
            rest = rest.substring((int) length).replaceFirst("^\r?\n", "");
        }
    }
}
