/**
 * The checks of a run: responses, numbers in their bodies, and thresholds. Immutable values, part of the first step of
 * the way; {@link io.phaseload.plan.Plan} is made of them.
 */
@NullMarked
package io.phaseload.plan.check;

import org.jspecify.annotations.NullMarked;
