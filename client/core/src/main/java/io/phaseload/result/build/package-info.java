/**
 * Makes a {@link io.phaseload.result.Result} of what an engine measured: its figures, its {@link
 * io.phaseload.verdict} and its thresholds. Pure, but for {@link
 * io.phaseload.result.build.AbortWatch}, which hears of a run and may end it.
 *
 * <p>On the way it comes after {@code engine} and {@code result}, and before {@code result.store},
 * which makes results of stored intervals in the same way.
 */
package io.phaseload.result.build;
