package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
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

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    private static final int MOST_BYTES = 1_500_000;

    /**
     * One second is what a page should take, and what is printed tells. A machine that does much else takes longer, so
     * this is only where nobody would wait any more.
     */
    private static final double MOST_SECONDS = 20;

    @TempDir
    private Path folder;

    @Test
    void isSmallAndLoadsFast() throws Exception {
        SyntheticRun hour = SyntheticRun.run(1_800, 300, "GET /", "GET /items", "POST /cart", "PUT /cart");
        long begun = cpuNanos();

        Path page = Files.writeString(folder.resolve("report.html"), hour.page());

        double cpuSeconds = (cpuNanos() - begun) / 1e9;
        assertThat(hour.intervals()).hasSize(3_600);
        assertThat(Files.size(page)).isLessThan(MOST_BYTES);
        try (Visit visit = CHROMIUM.open(page, View.DESKTOP).ready()) {
            // Since the navigation began; the last chart in sight was drawn just now.
            double seconds = ((Number) visit.eval("performance.now()")).doubleValue() / 1_000;
            System.out.printf(
                    "A run of an hour: a page of %.1f MB, made in %.1f s of CPU, its first charts after %.2f s%n",
                    Files.size(page) / 1e6, cpuSeconds, seconds);
            assertThat(seconds).isLessThan(MOST_SECONDS);
            chartsAreDrawnWhenTheyAreNeeded(visit);
            visit.screenshot("hour");
            visit.assertWhole();
        }
    }

    private static void chartsAreDrawnWhenTheyAreNeeded(Visit visit) {
        Locator drawn = visit.page().locator("figure .chart > svg:not(.sketch)");
        assertThat(drawn.count()).isBetween(1, 4);
        Locator server = visit.page().locator("#chart-server");
        server.scrollIntoViewIfNeeded();
        PlaywrightAssertions.assertThat(server.locator("svg")).isAttached();

        visit.page().pdf();

        assertThat(drawn.count())
                .isEqualTo(
                        visit.page().locator("figure[data-chart]:not([hidden])").count());
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
