/**
 * The trials of a sweep and what they measured: a {@link io.phaseload.sweep.trials.Step} is a point of the sweep's
 * grid, a {@link io.phaseload.sweep.trials.Trial} one run of it, and a {@link io.phaseload.sweep.trials.TrialTable} has
 * the rows of {@code trials.csv}. Everything else about a sweep follows from these rows.
 *
 * <p>Comes after {@code result}, and before {@code sweep.summary} and {@code sweep}. Immutable.
 */
@NullMarked
package io.phaseload.sweep.trials;

import org.jspecify.annotations.NullMarked;
