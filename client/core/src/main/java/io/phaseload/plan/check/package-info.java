/**
 * What a run looks at and what must hold: checks of responses, numbers in their bodies, series of a
 * server's own page, and thresholds. Immutable values, of the first step of the way; {@link
 * io.phaseload.plan.Plan} is made of them.
 */
@NullMarked
package io.phaseload.plan.check;

import org.jspecify.annotations.NullMarked;
