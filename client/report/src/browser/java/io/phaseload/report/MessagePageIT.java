package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.phaseload.report.Chromium.View;
import io.phaseload.report.Chromium.Visit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run of messages, of which some were lost, and half weren't sent. */
class MessagePageIT {

    @RegisterExtension static final Chromium CHROMIUM = new Chromium();

    @TempDir private static Path folder;

    private static Visit desktop;
    private static Visit phone;

    @BeforeAll
    static void open() throws Exception {
        Path file =
                Files.writeString(folder.resolve("messages.html"), SyntheticRun.messages().page());
        desktop = CHROMIUM.open(file, View.DESKTOP).drawn();
        desktop.screenshot("messages");
        phone = CHROMIUM.open(file, View.PHONE).drawn();
        phone.screenshot("messages-phone");
    }

    @AfterAll
    static void close() {
        for (Visit visit : List.of(desktop, phone)) {
            visit.assertWhole();
            visit.close();
        }
    }

    @Test
    void axeFindsNothing() throws Exception {
        desktop.assertAccessible();
        phone.assertAccessible();
    }

    /** Everything but the text report, whose first lines are the same for all runs. */
    @Test
    void itSpeaksOfMessagesAndPairs() {
        assertThat(
                        (String)
                                desktop.eval(
                                        "[...document.querySelectorAll('header, section:not(#environment)')]"
                                                + ".map(of => of.innerText).join('\\n')"))
                .contains("% of messages were lost", "messages (50.0 %) weren't sent")
                .contains("messages per second", "peak · 10 pairs", "Completed messages")
                .doesNotContainPattern(
                        "(?i)\\b(requests?|threads|rps|users)\\b(?! sent|, connections)");
        for (String table : List.of("#operations", "#phases")) {
            assertThat(
                            desktop.page()
                                    .locator(table + " thead")
                                    .first()
                                    .locator("th")
                                    .allInnerTexts())
                    .contains("messages", "lost", "lost (%)", "per s")
                    .doesNotContain("status");
        }
        assertThat(desktop.page().locator("#phases thead").innerText()).contains("pairs");
    }

    @Test
    void loadThatWasNotSentIsSeenFirst() {
        assertThat(desktop.page().locator("header .bad").allInnerTexts())
                .anyMatch(text -> text.contains("50.0 % of the load wasn't sent"));
    }

    @Test
    void aPhoneShowsTheFirstFiguresOfPhases() {
        Locator heads = phone.page().locator("#phases thead th");
        int median = heads.allTextContents().indexOf("p50 (ms)");
        assertThat(heads.nth(median).boundingBox().x + heads.nth(median).boundingBox().width)
                .isLessThan(View.PHONE.width());
    }
}
