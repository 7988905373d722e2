package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.verdict.Finding.About;
import io.phaseload.verdict.rules.EvidenceText;
import io.phaseload.verdict.rules.FindingTexts;
import io.phaseload.verdict.rules.Wording;
import java.util.Locale;
import java.util.Optional;

/**
 * The claim of a rule, and its conditions.
 *
 * @param id of its diagnoses
 * @param text its evidence in braces, as {@link EvidenceText} takes it, and nouns as {@link Wording} takes them
 * @param advice has such nouns, too
 * @param basis the conditions of the conclusion, with its limits: for people
 */
public record Claim(String id, About about, String text, String advice, String basis) {

    private static final FindingTexts TEXTS = new FindingTexts(Claim.class, "claims.properties");

    /** The claim of {@code claims.properties} with this id. */
    public static Claim of(String id) {
        return new Claim(
                id,
                About.valueOf(TEXTS.get(id).toUpperCase(Locale.ROOT)),
                TEXTS.get(id + ".text"),
                TEXTS.get(id + ".advice"),
                TEXTS.get(id + ".basis"));
    }

    /** A diagnosis that one phase shows; its evidence is in the order of the text. */
    public Diagnosis in(PhaseSeries phase, Confidence confidence, double impact, Object... evidence) {
        return diagnosis(phase.words(), Optional.of(phase.name()), confidence, impact, evidence);
    }

    /** A diagnosis that takes several phases to see. */
    public Diagnosis ofRun(Wording words, Confidence confidence, double impact, Object... evidence) {
        return diagnosis(words, Optional.empty(), confidence, impact, evidence);
    }

    private Diagnosis diagnosis(
            Wording words, Optional<String> phase, Confidence confidence, double impact, Object... evidence) {
        EvidenceText filled = EvidenceText.of(words.text(text), evidence);
        return new Diagnosis(id, about, phase, confidence, impact, filled.figures(), filled.text(), words.text(advice));
    }
}
