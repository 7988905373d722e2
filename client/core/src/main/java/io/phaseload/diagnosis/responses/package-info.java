/**
 * Rules about responses: those that refuse, those that don't come, and how their times are distributed. Pure.
 *
 * <p>On the way they come after {@code diagnosis.evidence}; {@code diagnosis.rules} asks them.
 */
@NullMarked
package io.phaseload.diagnosis.responses;

import org.jspecify.annotations.NullMarked;
