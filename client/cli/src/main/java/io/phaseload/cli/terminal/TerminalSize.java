package io.phaseload.cli.terminal;

/** How many characters a terminal shows. */
public record TerminalSize(int rows, int columns) {

    /** The size to assume if the terminal doesn't report one. */
    static final TerminalSize USUAL = new TerminalSize(24, 80);

    /** A reported size, in which 0 rows are an unknown number. */
    static TerminalSize of(int rows, int columns) {
        return new TerminalSize(rows == 0 ? USUAL.rows : rows, columns);
    }
}
