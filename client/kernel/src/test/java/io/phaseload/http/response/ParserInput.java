package io.phaseload.http.response;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;

/** Feeds texts to a parser. */
final class ParserInput {

    static final String AFTER = "HTTP/1.1 500";
    static final String OK = "HTTP/1.1 200 OK\r\n";
    static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

    private final ResponseParser parser = new ResponseParser();

    ResponseParser parser() {
        return parser;
    }

    /** Reads a response that nobody checks, all at once; returns how much of it was read. */
    int read(String response) throws MalformedException {
        parser.begin(false, false);
        return parse(response);
    }

    int parse(String text) throws MalformedException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return parser.parse(bytes, 0, bytes.length);
    }

    void readByteByByte(String response) throws MalformedException {
        parser.begin(false, false);
        byte[] bytes = response.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at < bytes.length; ) {
            at = parser.parse(bytes, at, at + 1);
        }
    }

    void rejects(String response, String reason) {
        assertThatExceptionOfType(MalformedException.class)
                .as(response)
                .isThrownBy(() -> read(response))
                .withMessageContaining(reason);
        assertThatExceptionOfType(MalformedException.class)
                .as(response)
                .isThrownBy(() -> readByteByByte(response))
                .withMessageContaining(reason);
    }
}
