/**
 * Decides which findings a run has. {@link io.phaseload.verdict.rules.Rule} lists all of them, with texts and figures;
 * the other classes decide when a phase has one, from what {@code health} says about the client. Pure and immutable.
 *
 * <p>On the way it comes after {@code health}; {@code result.build} calls it.
 */
package io.phaseload.verdict.rules;
