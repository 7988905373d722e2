/**
 * What is kept of a run. A {@link io.phaseload.result.Result} holds every figure; it is made of
 * what an engine measured, and is immutable, as are all its parts. {@code result.json} is its form
 * as JSON, {@link io.phaseload.result.store} the folder that it is kept in. No secret of the plan
 * gets into any of them. phaseload-report makes texts and pages of it.
 */
@NullMarked
package io.phaseload.result;

import org.jspecify.annotations.NullMarked;
