/**
 * Makes the rows of trials: a {@link io.phaseload.sweep.rows.Window} collects what a run measures,
 * {@link io.phaseload.sweep.rows.TrialRows} makes rows of that, and {@link io.phaseload.sweep.rows.TrialCsv} writes and
 * reads them as {@code trials.csv}.
 *
 * <p>Comes after {@code sweep.trials} and before {@code sweep}, which alone uses it. Values are immutable, except for
 * {@code Window}, which says itself who may call it.
 */
@NullMarked
package io.phaseload.sweep.rows;

import org.jspecify.annotations.NullMarked;
