/**
 * The checks of a run: responses, numbers in their bodies, series of a server's own page, and thresholds. Immutable
 * values, part of the first step of the way; {@link io.phaseload.plan.Plan} is made of them.
 */
@NullMarked
package io.phaseload.plan.check;

import org.jspecify.annotations.NullMarked;
