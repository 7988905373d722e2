/**
 * The commands that run a plan several times until they can decide something.
 * {@link io.phaseload.cli.decide.PlannedRuns} runs it. For one thread.
 */
package io.phaseload.cli.decide;
