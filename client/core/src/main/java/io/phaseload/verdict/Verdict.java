package io.phaseload.verdict;

import java.util.List;
import java.util.stream.Stream;

/**
 * Whether the measurement itself is valid; says nothing of the target's performance.
 *
 * @param status the most severe of what the findings say
 * @param findings what happened and what to do about it; those whose severity is VALID are remarks
 */
public record Verdict(Status status, List<Finding> findings) {

    /** From best to worst. */
    public enum Status {
        /** Nothing speaks against the figures. */
        VALID,
        /** The figures may describe the client as much as the target. */
        SUSPECT,
        /** The figures must not be used. */
        INVALID
    }

    /** Nothing speaks against the figures. */
    public static final Verdict VALID = new Verdict(Status.VALID, List.of());

    /** Keeps the findings from being changed. */
    public Verdict {
        findings = List.copyOf(findings);
    }

    /**
     * This verdict with one more finding.
     *
     * @param finding the finding
     * @return the more severe of both
     */
    public Verdict and(Finding finding) {
        Status worse = status.compareTo(finding.severity()) >= 0 ? status : finding.severity();
        return new Verdict(worse, Stream.concat(findings.stream(), Stream.of(finding)).toList());
    }

    /**
     * The first of the most severe findings.
     *
     * @return its text; empty if there is none
     */
    public String worst() {
        return findings.stream()
                .filter(finding -> finding.severity() == status)
                .findFirst()
                .map(Finding::text)
                .orElse("");
    }

    /**
     * The findings as text.
     *
     * @return whole sentences for people, in order
     */
    public List<String> texts() {
        return findings.stream().map(Finding::text).toList();
    }

    /**
     * This verdict with the findings of another one.
     *
     * @param other whose findings follow
     * @return the more severe of both
     */
    public Verdict and(Verdict other) {
        Verdict both = this;
        for (Finding finding : other.findings()) {
            both = both.and(finding);
        }
        return both;
    }
}
