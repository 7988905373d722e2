/**
 * Runs over a grid of parameters, each several times. {@link io.phaseload.sweep.Sweep} is the front door: it configures
 * a sweep, and a {@link io.phaseload.sweep.SweepRun} runs it. A {@link io.phaseload.sweep.Grid} makes the steps, a
 * {@link io.phaseload.sweep.Order} sorts the trials, a {@link io.phaseload.sweep.StopRule} skips steps, and
 * {@link io.phaseload.sweep.TrialHooks} run before and after each trial. The outcome is a
 * {@link io.phaseload.sweep.SweepResult}: {@link io.phaseload.sweep.SweepJson} writes and reads it,
 * {@link io.phaseload.sweep.MergedSweeps} merges several.
 *
 * <p>All that comes after a trial follows from its rows in {@code trials.csv} alone, so that a resumed sweep decides as
 * if it had never been interrupted.
 *
 * <p>Comes last in the library: a sweep is made of runs. One thread runs a sweep, its hooks and its listener; any
 * thread may stop it. Values are immutable.
 */
@NullMarked
package io.phaseload.sweep;

import org.jspecify.annotations.NullMarked;
