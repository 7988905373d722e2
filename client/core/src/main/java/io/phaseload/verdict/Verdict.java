package io.phaseload.verdict;

import java.util.List;
import java.util.stream.Stream;

/**
 * Whether the measurement itself is valid; it says nothing about the target's performance.
 *
 * @param status the highest severity of the findings
 * @param findings the findings, with advice; findings of severity VALID are remarks
 */
public record Verdict(Status status, List<Finding> findings) {

    /** From best to worst. */
    public enum Status {
        /** There is no doubt about the figures. */
        VALID,
        /** The figures may describe the client as much as the target. */
        SUSPECT,
        /** The figures must not be used. */
        INVALID
    }

    /** There is no doubt about the figures. */
    public static final Verdict VALID = new Verdict(Status.VALID, List.of());

    /** Keeps the findings from being changed. */
    public Verdict {
        findings = List.copyOf(findings);
    }

    /**
     * Adds a finding.
     *
     * @param finding the finding
     * @return the combined verdict
     */
    public Verdict and(Finding finding) {
        Status worse = status.compareTo(finding.severity()) >= 0 ? status : finding.severity();
        return new Verdict(
                worse, Stream.concat(findings.stream(), Stream.of(finding)).toList());
    }

    /**
     * Whether the client itself may have made what was measured.
     *
     * @return {@code true} if a finding about the client isn't a mere remark, and doesn't leave most of the times to
     *     the target
     */
    public boolean blamesClient() {
        return findings.stream()
                .anyMatch(of -> of.about() == Finding.About.CLIENT
                        && of.severity() != Status.VALID
                        && !OwnShare.of(of).leavesMost());
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
     * Adds the findings of another verdict.
     *
     * @param other the other verdict, whose findings come last
     * @return the combined verdict
     */
    public Verdict and(Verdict other) {
        Verdict both = this;
        for (Finding finding : other.findings()) {
            both = both.and(finding);
        }
        return both;
    }
}
