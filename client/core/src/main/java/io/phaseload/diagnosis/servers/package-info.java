/**
 * Rules about servers' own figures ({@code --server-metrics}); they find nothing in a run without them. Pure.
 *
 * <p>On the way they come after {@code diagnosis.evidence}; {@code diagnosis.rules} asks them.
 */
@NullMarked
package io.phaseload.diagnosis.servers;

import org.jspecify.annotations.NullMarked;
