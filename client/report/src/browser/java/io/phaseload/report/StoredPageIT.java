package io.phaseload.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.report.Chromium.View;
import io.phaseload.report.Chromium.Visit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page of a stored run in a real browser that has no network. */
class StoredPageIT {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private static Path folder;

    /** Another user's results folder: nothing in it was written by Phaseload. */
    @Test
    void aStoredRunWithMarkupIsInert() throws Exception {
        String page = HostilePages.stored(folder.resolve("stored"));
        Path file = Files.writeString(folder.resolve("stored.html"), page);
        try (Visit visit = CHROMIUM.open(file, View.DESKTOP).drawn()) {
            visit.page().locator("details summary").all().forEach(s -> s.evaluate("s => s.parentElement.open = true"));
            assertThat(visit.eval("document.querySelectorAll('.out, img').length"))
                    .isEqualTo(0);
            assertThat(visit.eval("typeof out")).isEqualTo("undefined");
            String text = (String) visit.eval("document.body.innerText");
            // Many texts, not only those of the plan.
            assertThat(text.split(Pattern.quote("<b class=out>"), -1)).hasSizeGreaterThan(20);
            visit.assertWhole();
        }
    }
}
