package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code phaseload audit}; {@code ForeignFileTest} has the formats. */
class AuditTest {

    private static final String SUMMARY =
            """
            {"metrics": {"http_reqs": {"count": 10000, "rate": 100}, "http_req_failed": {"passes": 0, "fails": 10000},
             "vus": {"value": 5, "min": 5, "max": 5},
             "http_req_duration": {"avg": 10, "min": 1, "med": 9, "max": 30, "p(95)": 20}}}
            """;

    @TempDir
    private Path folder;

    private Cli audit(String content, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("summary.json"), content);
        Object[] line = new Object[options.length + 2];
        line[0] = "audit";
        line[1] = file;
        System.arraycopy(options, 0, line, 2, options.length);
        return Cli.run(line);
    }

    @Test
    void printsTheChecksWithTheWorstFirst() throws IOException {
        Cli audit = audit(SUMMARY.replace("\"max\": 5", "\"max\": 1"));
        assertThat(audit.code()).isZero();
        assertThat(audit.outLines().get(0))
                .isEqualTo("k6 summary: 10,000 requests, in 100 s, 100/s, 1 users, mean 10.0 ms, 0 failed");
        assertThat(audit.outLines().get(2)).startsWith("DOUBT   users-limit: 1 users waited all of the time");
        assertThat(audit.outLines()).contains("This file can't show:", "Wrong: 0, doubtful: 1, unknown: 0, passed: 6.");
    }

    @Test
    void writesJson() throws IOException {
        JsonNode json = JsonMapper.shared().readTree(audit(SUMMARY, "--json").out());
        assertThat(json.path("requests").asDouble()).isEqualTo(10_000);
        assertThat(json.at("/p99Ms").isNull()).isTrue();
        assertThat(json.at("/checks/0/outcome").asString()).isEqualTo("PASSED");
    }

    @Test
    void aMistakeIsOneLine() throws IOException {
        Cli cut = audit(SUMMARY.substring(0, 60));
        assertThat(cut.code()).isEqualTo(ExitCode.USAGE);
        assertThat(cut.err())
                .startsWith("audit " + folder.resolve("summary.json") + ", line 1: expected ")
                .endsWith("\n");
        assertThat(cut.err().lines()).hasSize(1);
        assertThat(Cli.run("audit", folder.resolve("none")).err())
                .isEqualTo("audit %s: there is no such file%n".formatted(folder.resolve("none")));
        assertThat(audit(SUMMARY, "--users", "0").err()).isEqualTo("--users 0: expected 1 or more\n");
        assertThat(Cli.run("audit").err()).isEqualTo("audit: expected a file\n");
    }
}
