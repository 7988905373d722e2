package io.phaseload.result.json;

import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A finding as JSON. */
record FindingJson(
        String id, Verdict.Status severity, String about, String phase, Map<String, Number> evidence, String text) {

    static FindingJson of(Finding finding) {
        return new FindingJson(
                finding.id(),
                finding.severity(),
                finding.about().name().toLowerCase(Locale.ROOT),
                finding.phase().orElse(null),
                finding.evidence(),
                finding.text());
    }

    Finding toFinding() {
        return new Finding(
                id,
                severity,
                Finding.About.valueOf(about.toUpperCase(Locale.ROOT)),
                Optional.ofNullable(phase),
                evidence,
                text);
    }
}
