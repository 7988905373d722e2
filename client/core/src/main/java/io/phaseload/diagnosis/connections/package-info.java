/**
 * Rules about connections: making them, keeping them, losing them. Pure.
 *
 * <p>On the way they come after {@code diagnosis.evidence}; {@code diagnosis.rules} asks them.
 */
@NullMarked
package io.phaseload.diagnosis.connections;

import org.jspecify.annotations.NullMarked;
