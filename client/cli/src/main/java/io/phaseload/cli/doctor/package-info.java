/**
 * {@code phaseload doctor}: {@link io.phaseload.cli.doctor.Doctor} reads the facts, has the checks judge them in their
 * order, and prints a line each; {@code run --doctor} does the same before a run. For one thread.
 */
package io.phaseload.cli.doctor;
