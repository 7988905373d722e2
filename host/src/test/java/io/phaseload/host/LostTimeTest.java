package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Differences may have a pause of this JVM in them, so that they are at least what the file says. */
class LostTimeTest {

    @TempDir
    private Path folder;

    private void schedstat(long waited, long turns) throws IOException {
        Files.writeString(folder.resolve("schedstat"), "123 %d %d\n".formatted(waited, turns));
    }

    @Test
    void waitsSinceTheThreadSleptAreToldFromThoseBefore() throws IOException {
        schedstat(1_000_000_000, 7);
        try (LostTime lost = LostTime.of(folder.resolve("schedstat"))) {
            long start = lost.read();
            assertThat(start).isGreaterThanOrEqualTo(1_000_000_000);

            schedstat(3_000_000_000L, 8);
            long woken = lost.read();
            assertThat(woken - start).isGreaterThanOrEqualTo(2_000_000_000);
            assertThat(lost.beforeTurn()).isEqualTo(start);

            schedstat(3_000_000_000L, 8);
            lost.read();
            assertThat(lost.beforeTurn()).as("still awake").isEqualTo(start);

            schedstat(3_500_000_000L, 9);
            lost.read();
            assertThat(lost.beforeTurn()).isGreaterThanOrEqualTo(woken);
        }
    }

    @Test
    void withoutTheFileNoWaitIsKnown() {
        try (LostTime lost = LostTime.of(folder.resolve("none"))) {
            assertThat(lost.read()).isLessThan(1_000_000_000_000L);
        }
    }

    @Test
    void aThreadFindsItsOwnFile() {
        try (LostTime lost = LostTime.ofThisThread()) {
            assertThat(lost.read()).isGreaterThanOrEqualTo(0);
        }
    }
}
