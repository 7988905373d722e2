/**
 * Runs over a grid of parameters, each several times. {@link io.phaseload.sweep.Sweep} is the front
 * door: it says what is run, and a {@link io.phaseload.sweep.SweepRun} runs it. The {@link
 * io.phaseload.sweep.Grid} makes the steps, {@link io.phaseload.sweep.Order} says which trial comes
 * when, a {@link io.phaseload.sweep.StopRule} which aren't worth running any more, and {@link
 * io.phaseload.sweep.TrialHooks} what is done around each. What was measured is a {@link
 * io.phaseload.sweep.SweepResult}: {@link io.phaseload.sweep.SweepJson} writes and reads it, {@link
 * io.phaseload.sweep.MergedSweeps} makes one of several.
 *
 * <p>All that comes after a trial follows from its rows in {@code trials.csv} alone, so that a
 * sweep that is resumed decides as one that was never interrupted.
 *
 * <p>Comes last in the library: a sweep is made of runs. One thread runs a sweep, its hooks and its
 * listener; any thread may stop it. Values are immutable.
 */
@NullMarked
package io.phaseload.sweep;

import org.jspecify.annotations.NullMarked;
