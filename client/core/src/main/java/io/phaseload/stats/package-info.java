/**
 * What numbers mean: pure functions of numbers, without a clock, a thread or a file, each with its
 * formula and where that comes from. Within a run, {@link io.phaseload.stats.BatchMeans} says how
 * many independent samples a series is worth, and {@link io.phaseload.stats.QuantileRanks} how well
 * so many bound a percentile. Across trials, {@link io.phaseload.stats.Description} and {@link
 * io.phaseload.stats.ConfidenceInterval} tell the spread. {@link io.phaseload.stats.Estimate} is a
 * figure with its error, from either; {@link io.phaseload.stats.Effect} is what lies between two of
 * them. {@link io.phaseload.stats.ScalabilityFit} and {@link io.phaseload.stats.LittlesLaw} judge
 * the steps of a sweep.
 */
@NullMarked
package io.phaseload.stats;

import org.jspecify.annotations.NullMarked;
