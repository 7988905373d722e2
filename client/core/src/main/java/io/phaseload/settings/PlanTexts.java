package io.phaseload.settings;

/**
 * Sees the texts of a plan's file before they are checked, and may put others in their place. Names of scenarios, their
 * steps and groups are left out.
 */
public interface PlanTexts {

    /** Leaves all as it is. */
    PlanTexts AS_WRITTEN = new PlanTexts() {};

    /**
     * A text that is the same for all users and iterations.
     *
     * @param at its JSON Pointer in the plan
     * @param text as written
     * @return the text in its place
     */
    default String text(String at, String text) {
        return text;
    }

    /**
     * A text in which a scenario fills in values; it stays as it is.
     *
     * @param text as written
     */
    default void template(String text) {}

    /**
     * A value of the scenarios' own: a variable, data, or what a step takes from a response.
     *
     * @param at its JSON Pointer in the plan, which ends with its name
     */
    default void value(String at) {}
}
