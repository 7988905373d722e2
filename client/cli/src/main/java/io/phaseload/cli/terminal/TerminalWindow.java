package io.phaseload.cli.terminal;

/** The size of the terminal, which follows when its window is resized. Thread-safe. */
public final class TerminalWindow implements AutoCloseable {

    private static final String RESIZED = "WINCH";

    private final Object previous;
    private volatile TerminalSize size;

    /** Reads it from the terminal, if there is one. */
    public TerminalWindow(boolean live) {
        size = live ? Terminal.size() : TerminalSize.USUAL;
        previous = live ? Signals.handle(RESIZED, () -> size = Terminal.size()) : null;
    }

    public TerminalSize size() {
        return size;
    }

    public int columns() {
        return size.columns();
    }

    @Override
    public void close() {
        if (previous != null) {
            Signals.restore(RESIZED, previous);
        }
    }
}
