package io.phaseload.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
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
        try (WatchedRun run = new WatchedRun(folder, plan -> plan.duration(Duration.ofMinutes(10)))) {
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
