/**
 * What all commands share, and nothing of any one of them: {@link
 * io.phaseload.cli.command.ExitCode} is their contract with scripts, {@link
 * io.phaseload.cli.command.Help} lays out their help, {@link io.phaseload.cli.command.Checked}
 * turns what the library says of a value into a line for the user.
 *
 * <p>Comes first: the other packages of the command line build on this one. For one thread.
 */
package io.phaseload.cli.command;
