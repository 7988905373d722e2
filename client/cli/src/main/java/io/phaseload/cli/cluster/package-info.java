/**
 * Load from several machines: {@code phaseload agent}, {@code phaseload clock}, and what {@code run --agents} and
 * {@code sweep --agents} do: wait for agents, or start them.
 *
 * <p>Comes after {@code command}, {@code terminal} and {@code folders}; {@code run} and {@code sweep} build on it. For
 * one thread, but for what a signal calls.
 */
package io.phaseload.cli.cluster;
