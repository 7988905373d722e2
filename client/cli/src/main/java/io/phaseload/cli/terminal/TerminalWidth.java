package io.phaseload.cli.terminal;

import org.jline.utils.Signals;

/** How wide the terminal is, also when somebody makes it narrower while it is open. */
public final class TerminalWidth implements AutoCloseable {

    private static final String RESIZED = "WINCH";

    private final boolean known;
    private final Object previous;
    private volatile int columns;

    /**
     * Looks, unless nobody watches.
     *
     * @param live whether there is a terminal
     */
    public TerminalWidth(boolean live) {
        known = live;
        columns = live ? Terminal.width() : Terminal.USUAL_COLUMNS;
        previous = live ? Signals.register(RESIZED, () -> columns = Terminal.width()) : null;
    }

    public boolean isKnown() {
        return known;
    }

    public int columns() {
        return columns;
    }

    @Override
    public void close() {
        if (previous != null) {
            Signals.unregister(RESIZED, previous);
        }
    }
}
