/**
 * The checks of {@code phaseload doctor}: pure functions from facts and a plan to an
 * {@link io.phaseload.cli.doctor.checks.Outcome}. Stateless.
 */
package io.phaseload.cli.doctor.checks;
