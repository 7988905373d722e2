/**
 * Statistics: pure functions of numbers, each with its formula and source. Within a run,
 * {@link io.phaseload.stats.BatchMeans} says how many independent samples a series is worth, and
 * {@link io.phaseload.stats.QuantileRanks} how well they bound a percentile. Across trials,
 * {@link io.phaseload.stats.Description} and {@link io.phaseload.stats.ConfidenceInterval} describe the spread.
 * {@link io.phaseload.stats.Estimate} is a figure with its error, from either; {@link io.phaseload.stats.Effect} is the
 * change between two of them. {@link io.phaseload.stats.ScalabilityFit} and {@link io.phaseload.stats.LittlesLaw} judge
 * the steps of a sweep.
 */
@NullMarked
package io.phaseload.stats;

import org.jspecify.annotations.NullMarked;
