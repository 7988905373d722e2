/**
 * The command line: {@link io.phaseload.cli.Main} finds the command, the command parses its
 * options, wires the library to the terminal, and maps what happened to an exit code.
 */
package io.phaseload.cli;
