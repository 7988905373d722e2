/**
 * {@code phaseload run}, {@code plan} and {@code doctor}: {@link io.phaseload.cli.run.RunOptions} takes the options,
 * {@link io.phaseload.cli.run.RunPlan} makes a plan of them and of a plan's file, and
 * {@link io.phaseload.cli.run.RunCommand} runs it against an address or a {@link io.phaseload.cli.run.LocalTarget}. For
 * one thread.
 */
package io.phaseload.cli.run;
