package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The system's headless Chromium, one for all test classes. Tests are skipped where there is none. With
 * {@code -Dscreenshots=true}, they keep pictures of the pages, to look at: a page with all its tables open takes a
 * quarter of a minute.
 */
final class Chromium implements BeforeAllCallback {

    private static final Path BINARY = Path.of(System.getProperty("chromium", "/usr/bin/chromium"));
    private static final String AXE = "/axe.min.js";
    private static final boolean KEEPS_SCREENSHOTS = Boolean.getBoolean("screenshots");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    /** Far more than any page needs, on a machine that does much else. */
    private static final int PATIENCE_MS = 60_000;

    private Browser browser;

    /** Ends with the last test class. */
    private record Running(Playwright playwright, Browser browser) implements AutoCloseable {

        static Running start() {
            Playwright playwright = Playwright.create();
            return new Running(
                    playwright,
                    playwright
                            .chromium()
                            .launch(new LaunchOptions()
                                    .setExecutablePath(BINARY)
                                    .setArgs(List.of("--no-sandbox"))));
        }

        @Override
        public void close() {
            playwright.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        assumeTrue(Files.isExecutable(BINARY), "no " + BINARY + " (package chromium), or what -Dchromium names");
        Files.createDirectories(SCREENSHOTS);
        browser = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(Running.class, of -> Running.start(), Running.class)
                .browser();
    }

    /** How a page is looked at. */
    record View(ColorScheme scheme, int width, int height) {

        static final View DESKTOP = new View(ColorScheme.LIGHT, 1280, 900);
        static final View DARK = new View(ColorScheme.DARK, 1280, 900);
        static final View PHONE = new View(ColorScheme.LIGHT, 390, 844);
        static final View DARK_PHONE = new View(ColorScheme.DARK, 390, 844);

        @Override
        public String toString() {
            return (width < 500 ? "phone" : "desktop") + (scheme == ColorScheme.DARK ? "-dark" : "");
        }
    }

    /**
     * An open page.
     *
     * @param page for Playwright
     * @param problems errors of scripts, and what the browser complained of
     * @param requests addresses that were asked for
     */
    record Visit(Page page, List<String> problems, List<String> requests) implements AutoCloseable {

        /** Waits until the charts were tried that are near. */
        Visit ready() {
            page.waitForSelector("html[data-ready]");
            return this;
        }

        /** Waits until all charts were tried. */
        Visit drawn() {
            ready().page().evaluate("phaseload.drawAll()");
            return this;
        }

        /** Nothing was asked of a network, and nothing went wrong. */
        void assertWhole() {
            assertThat(problems).isEmpty();
            assertThat(requests).hasSize(1).first().asString().startsWith("file:");
        }

        /** By all of axe's rules but some. */
        void assertAccessible(String... without) throws IOException {
            try (InputStream axe = Chromium.class.getResourceAsStream(AXE)) {
                page.evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
            }
            assertThat((List<?>) page.evaluate(
                            """
                                            async without => (await axe.run(document, {
                                                resultTypes: ['violations'],
                                                rules: Object.fromEntries(without.map(rule => [rule, {enabled: false}]))
                                              })).violations
                                              .map(of => of.id + ': ' + of.nodes.slice(0, 3)
                                                .map(node => node.target.join(' ') + ' ' + node.failureSummary).join(' | '))
                                            """,
                            List.of(without)))
                    .isEmpty();
        }

        Object eval(String script) {
            return page.evaluate(script);
        }

        void screenshot(String name) {
            if (KEEPS_SCREENSHOTS) {
                page.screenshot(
                        new Page.ScreenshotOptions().setFullPage(true).setPath(SCREENSHOTS.resolve(name + ".png")));
            }
        }

        @Override
        public void close() {
            page.context().close();
        }
    }

    Visit open(Path file, View view) {
        return open(file, view, true);
    }

    /** As a browser that runs no scripts. */
    Visit openWithoutScripts(Path file, View view) {
        return open(file, view, false);
    }

    private Visit open(Path file, View view, boolean scripts) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                .setOffline(true)
                .setJavaScriptEnabled(scripts)
                .setColorScheme(view.scheme())
                .setViewportSize(view.width(), view.height()));
        context.setDefaultTimeout(PATIENCE_MS);
        Page page = context.newPage();
        Visit visit = new Visit(page, new ArrayList<>(), new ArrayList<>());
        page.onPageError(visit.problems()::add);
        page.onConsoleMessage((ConsoleMessage message) -> complain(visit, message));
        page.onRequest((Request request) -> visit.requests().add(request.url()));
        page.navigate(file.toAbsolutePath().toUri().toString());
        return visit;
    }

    private static void complain(Visit visit, ConsoleMessage message) {
        if (message.type().equals("error")) {
            visit.problems().add(message.text());
        }
    }
}
