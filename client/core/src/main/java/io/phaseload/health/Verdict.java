package io.phaseload.health;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether the measurement itself is valid; says nothing of the target's performance.
 *
 * @param status the most severe of what the reasons say
 * @param reasons what happened and what to do about it; those whose severity is VALID are remarks
 */
public record Verdict(Status status, List<Reason> reasons) {

    /** From good to bad. */
    public enum Status {
        /** Nothing speaks against the numbers. */
        VALID,
        /** The numbers may be the client's as much as the target's. */
        SUSPECT,
        /** The numbers must not be used. */
        INVALID
    }

    /** Nothing speaks against the numbers. */
    public static final Verdict VALID = new Verdict(Status.VALID, List.of());

    /** Keeps the reasons from being changed. */
    public Verdict {
        reasons = List.copyOf(reasons);
    }

    /**
     * This verdict, with a reason for each thing in the client's health that speaks against the
     * figures. Of phases that took less than a second there is a remark in its place.
     *
     * @param phases each phase that was run
     * @return at least SUSPECT if there is such a thing
     */
    public Verdict and(List<PhaseHealth> phases) {
        Verdict verdict = this;
        List<String> tooShort = new ArrayList<>();
        for (PhaseHealth phase : phases) {
            List<Reason> reasons = HealthRules.judge(phase);
            for (Reason reason : reasons) {
                verdict = verdict.and(reason);
            }
            if (HealthRules.tooShort(phase)) {
                tooShort.add(phase.phase());
            }
        }
        return tooShort.isEmpty()
                ? verdict
                : verdict.and(
                        "too-short",
                        Status.VALID,
                        "%s: too short to judge how busy the client was; phases of a second or more"
                                + " tell.",
                        tooShort.stream().distinct().collect(Collectors.joining(", ")));
    }

    /**
     * This verdict with one more reason.
     *
     * @param id see {@link Reason#id()}
     * @param severity what the reason says of the measurement
     * @param pattern whole sentences, as {@link String#format} takes them
     * @param values for the pattern; written alike in every locale
     * @return the more severe of both
     */
    public Verdict and(String id, Status severity, String pattern, Object... values) {
        return and(new Reason(id, severity, String.format(Locale.ROOT, pattern, values)));
    }

    /**
     * This verdict with one more reason.
     *
     * @param reason the reason
     * @return the more severe of both
     */
    public Verdict and(Reason reason) {
        Status worse = status.compareTo(reason.severity()) >= 0 ? status : reason.severity();
        return new Verdict(worse, Stream.concat(reasons.stream(), Stream.of(reason)).toList());
    }

    /**
     * The first of the most severe reasons.
     *
     * @return its text; empty if there is none
     */
    public String worst() {
        return reasons.stream()
                .filter(reason -> reason.severity() == status)
                .findFirst()
                .map(Reason::text)
                .orElse("");
    }

    /**
     * The reasons as text.
     *
     * @return whole sentences for people, in order
     */
    public List<String> texts() {
        return reasons.stream().map(Reason::text).toList();
    }

    /**
     * This verdict with the reasons of another one.
     *
     * @param other whose reasons follow
     * @return the more severe of both
     */
    public Verdict and(Verdict other) {
        Verdict both = this;
        for (Reason reason : other.reasons()) {
            both = both.and(reason);
        }
        return both;
    }
}
