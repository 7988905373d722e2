/**
 * The plan: the first step. A {@link io.phaseload.plan.Plan} is the whole input of a run, made of immutable records
 * that are validated on construction, so that the packages after this one never meet a bad value. Checks and thresholds
 * are in {@code plan.check}, the schedules of open models in {@code schedule}. {@code planfile} reads and writes plans.
 */
@NullMarked
package io.phaseload.plan;

import org.jspecify.annotations.NullMarked;
