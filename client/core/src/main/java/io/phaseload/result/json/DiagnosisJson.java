package io.phaseload.result.json;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.verdict.Finding.About;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON form of a diagnosis. */
record DiagnosisJson(
        String id,
        String about,
        @Nullable String phase,
        String confidence,
        double impact,
        Map<String, Number> evidence,
        String text,
        String advice,
        @Nullable List<String> follows) {

    static DiagnosisJson of(Diagnosis diagnosis) {
        return new DiagnosisJson(
                diagnosis.id(),
                diagnosis.about().name().toLowerCase(Locale.ROOT),
                diagnosis.phase().orElse(null),
                diagnosis.confidence().name().toLowerCase(Locale.ROOT),
                diagnosis.impact(),
                diagnosis.evidence(),
                diagnosis.text(),
                diagnosis.advice(),
                diagnosis.follows());
    }

    Diagnosis toDiagnosis() {
        return new Diagnosis(
                id,
                About.valueOf(about.toUpperCase(Locale.ROOT)),
                Optional.ofNullable(phase),
                Confidence.valueOf(confidence.toUpperCase(Locale.ROOT)),
                impact,
                evidence,
                text,
                advice,
                follows == null ? List.of() : follows);
    }
}
