/**
 * Load from several machines: {@code phaseload agent}, and {@code run --agents}, which waits for
 * agents, or starts them, and prints what each of them measured.
 *
 * <p>Comes after {@code command}, {@code terminal} and {@code folders}; {@code run} builds on it.
 * For one thread, but for what a signal calls.
 */
package io.phaseload.cli.cluster;
