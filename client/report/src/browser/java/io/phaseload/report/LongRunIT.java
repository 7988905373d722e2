package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.Chromium.View;
import io.phaseload.report.Chromium.Visit;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run of an hour. */
class LongRunIT {

    @RegisterExtension static final Chromium CHROMIUM = new Chromium();

    private static final int MOST_BYTES = 1_500_000;

    /**
     * Two seconds are what a page should take, and what is printed tells. A machine that does much
     * else takes longer, so this is only where nobody would wait any more.
     */
    private static final double MOST_SECONDS = 20;

    @TempDir private Path folder;

    @Test
    void isSmallAndLoadsFast() throws Exception {
        SyntheticRun hour =
                SyntheticRun.run(1_800, 300, "GET /", "GET /items", "POST /cart", "PUT /cart");
        long begun = cpuNanos();

        Path page = Files.writeString(folder.resolve("report.html"), hour.page());

        double cpuSeconds = (cpuNanos() - begun) / 1e9;
        assertThat(hour.intervals()).hasSize(3_600);
        assertThat(Files.size(page)).isLessThan(MOST_BYTES);
        try (Visit visit = CHROMIUM.open(page, View.DESKTOP).drawn()) {
            // Since the navigation began; the last chart was drawn just now.
            double seconds = ((Number) visit.eval("performance.now()")).doubleValue() / 1_000;
            System.out.printf(
                    "A run of an hour: a page of %.1f MB, made in %.1f s of CPU, all charts after %.2f s%n",
                    Files.size(page) / 1e6, cpuSeconds, seconds);
            visit.screenshot("hour");
            visit.assertWhole();
            assertThat(seconds).isLessThan(MOST_SECONDS);
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
