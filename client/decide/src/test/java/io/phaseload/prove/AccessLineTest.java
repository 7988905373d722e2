package io.phaseload.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLineTest {

    private static final String COMMON = "127.0.0.1 - - [26/Nov/2026:17:18:01 +0100] \"GET /a?b=1 HTTP/1.1\" 200 3";

    @ParameterizedTest
    @ValueSource(
            strings = {
                COMMON,
                COMMON + " \"-\" \"phaseload/0.1\"",
                "h u [x] [26/Nov/2026:16:18:01.000 +0000] \"GET /a?b=1 HTTP/2.0\" 200 - \"-\" \"a \\\" b\" 0.003",
                "{\"time\":\"2026-11-26T16:18:01+00:00\",\"status\":200,\"method\":\"GET\",\"uri\":\"/a?b=1\"}",
                "{\"ts\":1795709881.0,\"request\":{\"method\":\"GET\",\"uri\":\"/a?b=1\"},\"status\":200}",
                "{\"time\":\"[26/Nov/2026:16:18:01 +0000]\",\"request\":\"GET /a?b=1 HTTP/1.1\",\"statusCode\":\"200\"}"
            })
    void aLineIsReadInEachFormat(String line) {
        assertThat(AccessLine.parse(line))
                .contains(new AccessLine(
                        Optional.of(Instant.parse("2026-11-26T16:18:01Z")), "GET", "/a?b=1", 200, Optional.empty()));
    }

    @Test
    void theSpanOfATraceIsFoundWhereverItIs() {
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assertThat(AccessLine.parse(COMMON + " \"" + trace + "\"").orElseThrow().span())
                .contains("b7ad6b7169203331");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "{\"status\": 200}", "{\"a\"", "127.0.0.1 - - [x] \"-\" 400 0"})
    void otherLinesAreNone(String line) {
        assertThat(AccessLine.parse(line)).isEmpty();
    }

    @Test
    void aLogIsReadFromItsEndOnLineByLine(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("access.log"), COMMON + "\n");
        AccessLog log = AccessLog.fromNow(file);
        List<AccessLine> lines = new ArrayList<>();
        Files.writeString(file, COMMON.substring(0, 40), StandardOpenOption.APPEND);
        log.read(lines::add);
        assertThat(lines).isEmpty();
        Files.writeString(file, COMMON.substring(40) + "\nother\n", StandardOpenOption.APPEND);
        log.read(lines::add);
        log.read(lines::add);
        assertThat(lines).hasSize(1);
        assertThat(log.unreadable()).isEqualTo(1);

        Files.writeString(file, "");
        Assertions.assertThatThrownBy(() -> log.read(lines::add)).hasMessageContaining("rotated");
    }
}
