package io.phaseload.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser. */
@Timeout(120)
class LivePageIT {

    private static final Path BINARY = Path.of(System.getProperty("chromium", "/usr/bin/chromium"));
    private static final int PATIENCE_MS = 60_000;
    private static final PhaseLength TEN_MINUTES = new PhaseLength.Lasting(Duration.ofMinutes(10));

    /** As much as leaves the machine to the browser. */
    private static final Load HUNDRED = new Load.Open(new ConstantArrivals(Rate.perSecond(100)), Load.Overload.QUEUE);

    private final List<String> mistakes = new ArrayList<>();
    private Playwright playwright;
    private Browser browser;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() {
        assumeTrue(Files.isExecutable(BINARY), "no " + BINARY + " (package chromium), or what -Dchromium names");
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
        playwright = Playwright.create();
        browser = playwright
                .chromium()
                .launch(new LaunchOptions().setExecutablePath(BINARY).setArgs(List.of("--no-sandbox")));
    }

    @AfterEach
    void stop() {
        if (playwright != null) {
            playwright.close();
        }
    }

    @Test
    void itDrawsReconnectsPausesStopsAndBecomesTheReport() throws Exception {
        try (WatchedRun run = new WatchedRun(folder, plan -> plan.phases(new Phase("peak", 1, TEN_MINUTES, HUNDRED)))) {
            Page first = open(run);
            Page second = open(run);
            for (Page page : List.of(first, second)) {
                assertThat(page.locator("h1")).hasText("shop");
                assertThat(page.locator("#state")).hasText("running");
                assertThat(page.locator("#tiles dt").first()).hasText("requests/s");
                assertThat(page.locator("figure:visible svg").first()).isVisible();
                assertThat(page.locator("#failures tbody td").first()).hasText("http 503");
                assertThat(page.locator("#operations tbody tr")).hasCount(2);
            }
            first.reload();
            assertThat(first.locator("#failures tbody td").first()).hasText("http 503");

            first.locator("#pause").click();
            String paused = first.locator("#about").textContent();
            assertThat(second.locator("#about")).not().hasText(paused);
            assertThat(first.locator("#about")).hasText(paused);
            first.locator("#pause").click();
            assertThat(first.locator("#about")).not().hasText(paused);

            first.onDialog(dialog -> dialog.accept());
            first.locator("#stop").click();

            for (Page page : List.of(first, second)) {
                assertThat(page).hasTitle(Pattern.compile(".* – Phaseload"));
            }
            Assertions.assertThat(mistakes).isEmpty();
        }
    }

    @Test
    void aReaderChangesTheLoad() throws Exception {
        try (WatchedRun run = new WatchedRun(
                folder,
                plan -> plan.phases(new Phase("ramp", 1, TEN_MINUTES, HUNDRED), new Phase("peak", 1, TEN_MINUTES)))) {
            Page page = open(run);
            assertThat(page.locator("#to")).hasValue("100/s");
            page.locator("#to").fill("250");
            page.locator("#set").click();
            assertThat(page.locator("#steered")).hasText("ramp: rate 100/s → 250/s");
            assertThat(page.locator("#to")).hasValue("250/s");
            page.locator("#more").click();
            assertThat(page.locator("#steered")).hasText("ramp: rate 250/s → 275/s");
            page.locator("#to").fill("fast");
            page.locator("#set").click();
            assertThat(page.locator("#steered")).containsText("expected a rate");
            page.locator("#hold").click();
            assertThat(page.locator("#hold")).hasText("Resume the load");
            page.locator("#hold").click();
            assertThat(page.locator("#hold")).hasText("Pause the load");
            // A mark of each change on each chart that is there.
            assertThat(page.locator("figure:visible").first().locator(".mark-rule path, .mark-rule line"))
                    .not()
                    .hasCount(0);
            page.locator("#next").click();
            assertThat(page.locator("#level-name")).hasText("Users");
            page.locator("#more").click();
            assertThat(page.locator("#steered")).hasText("peak: users 2 → 3");
            page.onDialog(dialog -> dialog.accept());
            page.locator("#abort").click();
            assertThat(page).hasTitle(Pattern.compile(".* – Phaseload"));
            assertThat(page.locator("body")).containsText("The load was changed while it ran");
            Assertions.assertThat(run.result.join().changes())
                    .extracting(change -> change.change())
                    .containsExactly("rate", "rate", "pause", "resume", "next", "users", "abort");
            // The refused rate was answered with an error.
            Assertions.assertThat(mistakes).hasSize(1).allMatch(text -> text.contains("409"));
        }
    }

    private Page open(WatchedRun run) {
        Page page = browser.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        page.onPageError(mistakes::add);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                mistakes.add(message.text());
            }
        });
        page.navigate(run.url("").toString());
        return page;
    }
}
