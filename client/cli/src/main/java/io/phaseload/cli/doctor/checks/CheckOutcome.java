package io.phaseload.cli.doctor.checks;

/** The result of a check. Texts are sentences for people, without a secret. */
public sealed interface CheckOutcome {

    /** Nothing is in the way of the plan. */
    record Ok(String found, String meaning) implements CheckOutcome {}

    /**
     * The plan runs, but its figures may suffer.
     *
     * @param fix the command, or the change, that helps
     */
    record Warn(String found, String meaning, String fix) implements CheckOutcome {}

    /**
     * The plan can't do what it says.
     *
     * @param fix the command, or the change, that helps
     */
    record Fail(String found, String meaning, String fix) implements CheckOutcome {}

    /**
     * There is nothing to judge.
     *
     * @param why the system doesn't report it, or it doesn't matter to this plan
     */
    record Skip(String why) implements CheckOutcome {}
}
