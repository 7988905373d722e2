/**
 * Summaries of a sweep's rows: each step over its trials and how throughput grows with users
 * ({@link io.phaseload.sweep.summary.SweepSummary}), and any figure by any column
 * ({@link io.phaseload.sweep.summary.TrialDescription}). Comes between {@code sweep.trials} and {@code sweep}; pure
 * functions of immutable values.
 */
@NullMarked
package io.phaseload.sweep.summary;

import org.jspecify.annotations.NullMarked;
