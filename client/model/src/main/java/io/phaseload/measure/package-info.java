/**
 * Requests and their sums: a {@link io.phaseload.measure.Sample} is added to the {@link io.phaseload.measure.Tally} of
 * its operation. Tallies are merged by adding; a percentile is never averaged.
 */
@NullMarked
package io.phaseload.measure;

import org.jspecify.annotations.NullMarked;
