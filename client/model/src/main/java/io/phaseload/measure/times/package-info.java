/** The memory of a tally: times as they came or as histograms, live or packed, and counts by status. */
@NullMarked
package io.phaseload.measure.times;

import org.jspecify.annotations.NullMarked;
