package io.phaseload.result.host;

/**
 * A figure of the client or of the target in all samples of a phase.
 *
 * @param mean the arithmetic mean
 * @param max the highest
 */
public record Spread(double mean, double max) {}
