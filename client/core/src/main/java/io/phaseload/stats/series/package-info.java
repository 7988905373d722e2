/**
 * Statistics of a series of values over time: pure functions, each with its source.
 * {@link io.phaseload.stats.series.SteadyState} finds the beginning of the steady part,
 * {@link io.phaseload.stats.series.Slope} the change over time with its interval, and
 * {@link io.phaseload.stats.series.Lows} the points that a figure returns to after each of its cycles.
 */
@NullMarked
package io.phaseload.stats.series;

import org.jspecify.annotations.NullMarked;
