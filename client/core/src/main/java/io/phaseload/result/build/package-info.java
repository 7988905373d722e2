/**
 * Builds a {@link io.phaseload.result.Result} from what an engine measured: figures, {@link io.phaseload.verdict} and
 * thresholds. Pure, except for {@link io.phaseload.result.build.AbortWatch}, which listens to a run and may end it.
 *
 * <p>On the way it comes after {@code engine} and {@code result}, and before {@code result.store}, which uses it for
 * stored intervals.
 */
package io.phaseload.result.build;
