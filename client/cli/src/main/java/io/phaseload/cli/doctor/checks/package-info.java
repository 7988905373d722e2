/**
 * The checks of {@code phaseload doctor}: pure functions from facts and a plan to an
 * {@link io.phaseload.cli.doctor.checks.CheckOutcome}. Stateless.
 */
package io.phaseload.cli.doctor.checks;
