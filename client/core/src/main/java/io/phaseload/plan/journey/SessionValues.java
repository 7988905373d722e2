package io.phaseload.plan.journey;

/** What one user remembers within an iteration, as a step of Java code sees it. */
public interface SessionValues {

    /**
     * A value.
     *
     * @param name of a variable, of what an earlier step took or set, or {@code feeder.column} of a column that a
     *     template takes
     * @return empty if there is none yet
     * @throws IllegalArgumentException if the plan has no such name
     */
    String get(String name);

    /**
     * Sets a value that later steps take.
     *
     * @param name one that the step says it sets
     * @param value in place of the one before
     * @throws IllegalArgumentException if the plan has no such name
     */
    void set(String name, String value);

    /** {@return the user's number, from 0} */
    long user();

    /** {@return how many iterations the user began before this one in the run} */
    long iteration();
}
