package io.phaseload.cli.command;

import io.phaseload.options.Help;

/** A command of the command line. */
public interface CliCommand {

    /** Runs it with its part of the command line, and returns its exit code. */
    int run(String... arguments);

    /** Its help, which is made of its options. */
    Help help();
}
