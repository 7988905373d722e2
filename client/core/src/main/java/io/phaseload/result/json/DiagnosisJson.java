package io.phaseload.result.json;

import io.phaseload.diagnosis.Diagnosis;
import java.util.Locale;
import java.util.Map;
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
        String advice) {

    static DiagnosisJson of(Diagnosis diagnosis) {
        return new DiagnosisJson(
                diagnosis.id(),
                diagnosis.about().name().toLowerCase(Locale.ROOT),
                diagnosis.phase().orElse(null),
                diagnosis.confidence().name().toLowerCase(Locale.ROOT),
                diagnosis.impact(),
                diagnosis.evidence(),
                diagnosis.text(),
                diagnosis.advice());
    }
}
