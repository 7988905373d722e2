/**
 * {@code phaseload sweep}: from lists of values to a {@link io.phaseload.sweep.Sweep} of the library. Each trial is a
 * run with the settings of {@code run}, so that every option works in a sweep. For one thread.
 */
package io.phaseload.cli.sweep;
