/**
 * What is kept: the last step of the way. A {@link io.phaseload.result.Result} holds every figure
 * of a run; {@link io.phaseload.result.ResultJson} writes it as JSON, {@link
 * io.phaseload.result.TextReport} as text, and {@link io.phaseload.result.ResultFolder} keeps both
 * on disk. No secret of the plan gets into any of them.
 */
package io.phaseload.result;
