package io.phaseload.verdict;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One conclusion of a verdict. Immutable; nothing in it is {@code null}.
 *
 * @param id what it is, such as {@code gc}: lower-case letters and dashes, the same in every
 *     version
 * @param severity how it affects the measurement; VALID for a remark
 * @param about whom it concerns
 * @param phase the only phase that it is about; empty if that is the whole run
 * @param evidence the figures that it is drawn from, by name; a unit ends the name
 * @param text whole sentences for people: what happened, and what to do about it
 */
public record Finding(
        String id,
        Verdict.Status severity,
        About about,
        Optional<String> phase,
        Map<String, Number> evidence,
        String text) {

    /** Whom a finding concerns. */
    public enum About {
        /** The client, its machine, or its files. */
        CLIENT,
        /** The target. */
        SERVER,
        /** What was asked for. */
        PLAN
    }

    /** Keeps the evidence from being changed. */
    public Finding {
        evidence = Collections.unmodifiableMap(new LinkedHashMap<>(evidence));
    }

    /**
     * This finding with another severity.
     *
     * @param other what it makes of the measurement
     * @return otherwise the same
     */
    public Finding as(Verdict.Status other) {
        return new Finding(id, other, about, phase, evidence, text);
    }

    /**
     * This finding as one of several runs.
     *
     * @param name of its run
     * @return the same; its text begins with the name
     */
    public Finding of(String name) {
        return new Finding(id, severity, about, phase, evidence, name + ": " + text);
    }
}
