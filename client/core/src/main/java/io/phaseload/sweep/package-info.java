/**
 * Runs over a grid of parameters, each several times: a {@link io.phaseload.sweep.Step} is a point
 * of the grid, a {@link io.phaseload.sweep.Trial} one run of it, {@link io.phaseload.sweep.Order}
 * says which comes when. What a trial measured, in its {@link io.phaseload.sweep.Window}, is kept
 * as rows of {@code trials.csv}, by {@link io.phaseload.sweep.TrialTable}; everything else follows
 * from them: when to stop, the {@link io.phaseload.sweep.SweepSummary} with its intervals, and the
 * reports.
 */
package io.phaseload.sweep;
