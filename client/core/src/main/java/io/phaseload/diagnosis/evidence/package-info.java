/**
 * The evidence of rules: {@link io.phaseload.diagnosis.evidence.RunSeries} is a run as numbers per second and tallies
 * per phase. Immutable, but for {@link io.phaseload.diagnosis.evidence.SeriesRecorder}, which the thread that reports
 * intervals owns.
 *
 * <p>On the way it comes after {@code measure} and {@code verdict}, and before the rules.
 */
@NullMarked
package io.phaseload.diagnosis.evidence;

import org.jspecify.annotations.NullMarked;
