package io.phaseload.diagnosis;

import io.phaseload.verdict.Finding.About;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One explanation of what failed or was slow. Immutable; nothing in it is {@code null}.
 *
 * @param id its id, such as {@code rate-limit}: lower-case letters and dashes, the same in every version
 * @param about the place of the cause
 * @param phase the phase that shows it most clearly; empty if it takes several to see it
 * @param confidence the confidence of the conclusion
 * @param impact the explained part, from 0 to 1: a share of the requests, or of the users' time
 * @param evidence the figures that it is drawn from, by name; a unit ends the name
 * @param text whole sentences for people: what happened
 * @param advice whole sentences: what to change, and how to make sure
 * @param follows consequences of the same cause, each with its id and its sentence; often none
 */
public record Diagnosis(
        String id,
        About about,
        Optional<String> phase,
        Confidence confidence,
        double impact,
        Map<String, Number> evidence,
        String text,
        String advice,
        List<String> follows) {

    /** How sure a conclusion is. */
    public enum Confidence {
        /** The figures say so themselves. */
        CERTAIN,
        /** Other causes that look like this are rare. */
        LIKELY,
        /** Something else may look the same. */
        POSSIBLE
    }

    /** Keeps the evidence from being changed. Results of earlier versions have no consequences. */
    public Diagnosis {
        evidence = Collections.unmodifiableMap(new LinkedHashMap<>(evidence));
        follows = follows == null ? List.of() : List.copyOf(follows);
    }

    /** One without consequences. */
    public Diagnosis(
            String id,
            About about,
            Optional<String> phase,
            Confidence confidence,
            double impact,
            Map<String, Number> evidence,
            String text,
            String advice) {
        this(id, about, phase, confidence, impact, evidence, text, advice, List.of());
    }

    /**
     * The same where other phases show it, too.
     *
     * @param others the same diagnosis of other phases; maybe none
     * @return a copy whose text names them
     */
    public Diagnosis alsoIn(List<Diagnosis> others) {
        String names = others.stream()
                .flatMap(of -> of.phase().stream())
                .distinct()
                .filter(of -> !phase.equals(Optional.of(of)))
                .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? this
                : new Diagnosis(
                        id,
                        about,
                        phase,
                        confidence,
                        impact,
                        evidence,
                        text + " Also in " + names + ".",
                        advice,
                        follows);
    }

    /**
     * The same with its consequences.
     *
     * @param consequences each with its id and its sentence
     * @return a copy
     */
    public Diagnosis followedBy(List<String> consequences) {
        return new Diagnosis(id, about, phase, confidence, impact, evidence, text, advice, consequences);
    }
}
