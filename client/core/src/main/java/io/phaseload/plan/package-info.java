/**
 * What to run: the first step of the way. A {@link io.phaseload.plan.Plan} is the whole input of a
 * run, made of immutable records that are validated on construction, so that the packages after
 * this one never meet a bad value. What must hold in a run is in {@code plan.check}; when to send
 * in an open model is in {@code schedule}.
 */
@NullMarked
package io.phaseload.plan;

import org.jspecify.annotations.NullMarked;
