/**
 * What one trial of a sweep is and measures: a {@link io.phaseload.sweep.trials.Step} is a point of
 * the sweep's grid, a {@link io.phaseload.sweep.trials.Trial} one run of it. What a run measures is
 * gathered by a {@link io.phaseload.sweep.trials.Window} and becomes the rows of a {@link
 * io.phaseload.sweep.trials.TrialTable}, which {@link io.phaseload.sweep.trials.TrialCsv} keeps as
 * {@code trials.csv}. All else about a sweep follows from these rows.
 *
 * <p>Comes after {@code result}, and before {@code sweep.summary} and {@code sweep}. Values are
 * immutable, except for {@code Window}, which says itself who may call it.
 */
@NullMarked
package io.phaseload.sweep.trials;

import org.jspecify.annotations.NullMarked;
