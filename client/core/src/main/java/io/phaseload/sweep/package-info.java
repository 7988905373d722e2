/**
 * Runs over a grid of parameters, each several times: {@link io.phaseload.sweep.Order} says which
 * trial comes when, a {@link io.phaseload.sweep.StopRule} which aren't worth running any more. What
 * was measured is a {@link io.phaseload.sweep.SweepResult}: {@link io.phaseload.sweep.SweepJson}
 * writes and reads it, {@link io.phaseload.sweep.MergedSweeps} makes one of several.
 *
 * <p>Comes last in the library: a sweep is made of runs. Values are immutable.
 */
package io.phaseload.sweep;
