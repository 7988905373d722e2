/**
 * When a run has a finding. {@link io.phaseload.verdict.rules.Rule} lists all that there can be,
 * each with its text and figures; the rules beside it say when a phase has one, of what {@link
 * io.phaseload.health} tells of the client. Pure and immutable.
 *
 * <p>On the way it comes after {@code health}; {@code result.build} asks it.
 */
package io.phaseload.verdict.rules;
