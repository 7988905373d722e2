package io.phaseload.verdict;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One conclusion of a verdict. Immutable; nothing in it is {@code null}.
 *
 * @param id its id, such as {@code gc}: lower-case letters and dashes, the same in every version
 * @param severity its effect on the measurement; VALID for a remark
 * @param about its subject
 * @param phase the phase that it is about; empty for the whole run
 * @param evidence the figures behind it, by name; names end in a unit
 * @param text whole sentences for people: what happened, and what to do about it
 */
public record Finding(
        String id,
        Verdict.Status severity,
        About about,
        Optional<String> phase,
        Map<String, Number> evidence,
        String text) {

    /** The subject of a finding. */
    public enum About {
        /** The client, its machine, or its files. */
        CLIENT,
        /** The target. */
        SERVER,
        /** The route between client and target. */
        NETWORK,
        /** The plan: what was asked for. */
        PLAN
    }

    /** Keeps the evidence from being changed. */
    public Finding {
        evidence = Collections.unmodifiableMap(new LinkedHashMap<>(evidence));
    }

    /**
     * Changes the severity.
     *
     * @param other the new severity
     * @return a copy
     */
    public Finding as(Verdict.Status other) {
        return new Finding(id, other, about, phase, evidence, text);
    }

    /**
     * Marks this finding as one of several runs.
     *
     * @param name the run's name
     * @return a copy whose text begins with the name
     */
    public Finding of(String name) {
        return new Finding(id, severity, about, phase, evidence, name + ": " + text);
    }
}
