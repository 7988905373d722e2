/**
 * What to run: the first step of the way. A {@link io.phaseload.plan.Plan} is the whole input of a
 * run, made of records that are validated on construction, so that the packages after this one
 * never meet a bad value. Depends on {@code schedule} alone, for when to send in an open model.
 */
package io.phaseload.plan;
