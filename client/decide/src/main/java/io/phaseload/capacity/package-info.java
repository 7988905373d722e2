/**
 * The search for the most load that a service can take: {@link io.phaseload.capacity.Objective} states the condition,
 * {@link io.phaseload.capacity.StepJudge} decides from a step's seconds whether it held, and
 * {@link io.phaseload.capacity.Search} chooses the load of the next step. Pure functions of the steps so far, without a
 * clock or a client.
 */
@NullMarked
package io.phaseload.capacity;

import org.jspecify.annotations.NullMarked;
