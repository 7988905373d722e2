/**
 * How a run and its caller talk while it goes on: a {@link io.phaseload.run.RunListener} is called by the run's own
 * threads, one call at a time; a {@link io.phaseload.run.StartGate} can delay the start of phases, and knows the
 * {@link io.phaseload.run.Partners} that run the same plan.
 *
 * <p>On the way it comes after {@code measure}, whose intervals it passes on, and before {@code engine}, which calls
 * it.
 */
@NullMarked
package io.phaseload.run;

import org.jspecify.annotations.NullMarked;
