/**
 * Records of requests, and their sums: a {@link io.phaseload.measure.Sample} goes into a
 * {@link io.phaseload.measure.PhaseRecorder}, which keeps a {@link io.phaseload.measure.Tally} per operation, for each
 * interval and for the phase. Tallies are merged by adding; a percentile is never averaged.
 */
@NullMarked
package io.phaseload.measure;

import org.jspecify.annotations.NullMarked;
