/**
 * Rules about the course of a run: what changed from second to second, and from phase to phase. Pure.
 *
 * <p>On the way they come after {@code diagnosis.evidence}; {@code diagnosis.rules} asks them.
 */
@NullMarked
package io.phaseload.diagnosis.course;

import org.jspecify.annotations.NullMarked;
