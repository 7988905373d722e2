package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.result.SelfProof.Check;
import io.phaseload.result.json.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfProofTest {

    private static SelfProof of(String version, double client) {
        return new SelfProof(
                Instant.parse("2026-11-20T12:00:00Z"),
                version,
                System.getProperty("java.version"),
                List.of(new Check("requests", 10, client, 1)));
    }

    @Test
    void itIsBelowTheCacheOfTheUser() {
        assertThat(SelfProof.file(null, "/home/a")).isEqualTo(Path.of("/home/a/.cache/phaseload/self-proof.json"));
        assertThat(SelfProof.file("/c", "/home/a")).isEqualTo(Path.of("/c/phaseload/self-proof.json"));
        assertThat(SelfProof.file("c", "/home/a")).isEqualTo(Path.of("/home/a/.cache/phaseload/self-proof.json"));
    }

    @Test
    void itPassesWithinTheTolerance() {
        assertThat(of("1", 11).passed()).isTrue();
        assertThat(of("1", 11.1).passed()).isFalse();
        assertThat(of("1", Double.NaN).passed()).isFalse();
    }

    @Test
    void onlyTheOneOfThisVersionIsKept(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("proof.json");
        assertThat(SelfProof.kept(file)).isEmpty();
        SelfProof own = of(Environment.currentVersion(), 10);
        Files.writeString(file, ResultJson.text(own));
        assertThat(SelfProof.kept(file)).contains(own);
        Files.writeString(file, ResultJson.text(of("0.0.1", 10)));
        assertThat(SelfProof.kept(file)).isEmpty();
        Files.writeString(file, "{");
        assertThat(SelfProof.kept(file)).isEmpty();
    }
}
