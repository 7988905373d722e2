package io.phaseload.health;

/**
 * One thing that a verdict says.
 *
 * @param id what it is about, such as {@code gc}: lower-case letters and dashes, the same in every
 *     version
 * @param severity what it makes of the measurement; VALID for what a reader should only know
 * @param text whole sentences for people: what happened, and what to do about it
 */
public record Reason(String id, Verdict.Status severity, String text) {

    /** The text. */
    @Override
    public String toString() {
        return text;
    }
}
