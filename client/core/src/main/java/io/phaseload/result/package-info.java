/**
 * What is kept: the last step of the way. A {@link io.phaseload.result.Result} holds every figure
 * of a run; {@link io.phaseload.result.ResultJson} writes it as JSON, and {@link
 * io.phaseload.result.ResultFolder} keeps it on disk. No secret of the plan gets into either.
 * phaseload-report makes texts and pages of it.
 */
package io.phaseload.result;
