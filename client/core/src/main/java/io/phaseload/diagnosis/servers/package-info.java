/**
 * Rules about what servers tell of themselves ({@code --server-metrics}); they find nothing in a run whose servers tell
 * nothing. Pure.
 *
 * <p>On the way they come after {@code diagnosis.evidence}; {@code diagnosis.rules} asks them.
 */
@NullMarked
package io.phaseload.diagnosis.servers;

import org.jspecify.annotations.NullMarked;
