package io.phaseload.audit;

import java.io.IOException;

/** A line of a file that isn't what was expected. */
final class LineMistake extends IOException {

    private static final long serialVersionUID = 1;

    private final long line;

    LineMistake(long line, String message) {
        super(message);
        this.line = line;
    }

    long line() {
        return line;
    }
}
