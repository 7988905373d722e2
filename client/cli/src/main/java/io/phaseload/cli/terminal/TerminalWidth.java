package io.phaseload.cli.terminal;

/** The width of the terminal, which follows when its window is resized. Thread-safe. */
public final class TerminalWidth implements AutoCloseable {

    private static final String RESIZED = "WINCH";

    private final Object previous;
    private volatile int columns;

    /** Reads it from the terminal, if there is one. */
    public TerminalWidth(boolean live) {
        columns = live ? Terminal.width() : Terminal.USUAL_COLUMNS;
        previous = live ? Signals.handle(RESIZED, () -> columns = Terminal.width()) : null;
    }

    public int columns() {
        return columns;
    }

    @Override
    public void close() {
        if (previous != null) {
            Signals.restore(RESIZED, previous);
        }
    }
}
