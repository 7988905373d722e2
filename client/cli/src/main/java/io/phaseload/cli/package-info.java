/**
 * The command line. {@link io.phaseload.cli.Main} finds the command and ends the JVM with its exit code. A command
 * parses its options, wires the library to the terminal and to folders, and maps what happened to an
 * {@link io.phaseload.cli.command.ExitCode}.
 *
 * <p>Comes last of all modules; nothing depends on it. One thread runs a command; signals and progress come from
 * others, and the types that they reach say so.
 */
package io.phaseload.cli;
