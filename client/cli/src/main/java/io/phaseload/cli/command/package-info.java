/**
 * The common parts of all commands: {@link io.phaseload.cli.command.ExitCode} is their contract with scripts,
 * {@link io.phaseload.cli.command.GeneralOptions} are the options of each, {@link io.phaseload.cli.command.Checked}
 * turns the library's message about a value into one for the user.
 *
 * <p>Comes first: the other packages of the command line build on this one. For one thread.
 */
package io.phaseload.cli.command;
