/**
 * Whether a measurement can be trusted: a {@link io.phaseload.verdict.Verdict} is made of
 * {@linkplain io.phaseload.verdict.Finding findings}. Immutable.
 *
 * <p>On the way it comes before {@code result}; {@code verdict.rules} decides it.
 */
@NullMarked
package io.phaseload.verdict;

import org.jspecify.annotations.NullMarked;
