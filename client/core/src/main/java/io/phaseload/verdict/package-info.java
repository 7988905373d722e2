/**
 * Whether a measurement can be trusted: after a run, between its {@link io.phaseload.health} and
 * its {@link io.phaseload.result}. A {@link io.phaseload.verdict.Verdict} is made of {@linkplain
 * io.phaseload.verdict.Finding findings}, {@link io.phaseload.verdict.Rule} lists all that there
 * can be, and the rules beside it say when a phase has one. Pure and immutable.
 */
package io.phaseload.verdict;
