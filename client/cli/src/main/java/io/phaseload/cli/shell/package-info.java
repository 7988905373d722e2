/** Completions and manual pages of all commands, made of the declared options. For one thread. */
package io.phaseload.cli.shell;
