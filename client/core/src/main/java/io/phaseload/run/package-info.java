/**
 * What is told of a run while it goes: a {@link io.phaseload.run.RunListener} hears of it from the
 * run's own threads, one call at a time; a {@link io.phaseload.run.StartGate} holds up its phases.
 *
 * <p>On the way it comes after {@code measure}, whose intervals it tells of, and before {@code
 * engine}, which calls it.
 */
@NullMarked
package io.phaseload.run;

import org.jspecify.annotations.NullMarked;
