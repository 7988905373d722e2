package io.phaseload.cli.terminal;

/** How many characters a terminal shows. */
public record TerminalSize(int rows, int columns) {

    /** The size to assume if the terminal doesn't report one. */
    static final TerminalSize USUAL = new TerminalSize(24, 80);
}
