package io.phaseload.plan.journey;

/** The state of one user within an iteration, for a step of Java code. */
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

    /** {@return the number of iterations that the user began before this one in the run} */
    long iteration();
}
