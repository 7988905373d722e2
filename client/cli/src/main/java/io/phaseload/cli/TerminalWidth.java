package io.phaseload.cli;

import org.jline.utils.Signals;

/** How wide the terminal is, also when somebody makes it narrower while it is open. */
final class TerminalWidth implements AutoCloseable {

    private static final String RESIZED = "WINCH";

    private final boolean known;
    private final Object previous;
    private volatile int columns;

    /**
     * Looks, unless nobody watches.
     *
     * @param live whether there is a terminal
     */
    TerminalWidth(boolean live) {
        known = live;
        columns = live ? Terminal.width() : Terminal.USUAL_COLUMNS;
        previous = live ? Signals.register(RESIZED, () -> columns = Terminal.width()) : null;
    }

    boolean isKnown() {
        return known;
    }

    int columns() {
        return columns;
    }

    @Override
    public void close() {
        if (previous != null) {
            Signals.unregister(RESIZED, previous);
        }
    }
}
