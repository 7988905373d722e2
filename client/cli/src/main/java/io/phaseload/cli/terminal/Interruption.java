package io.phaseload.cli.terminal;

import io.phaseload.cli.command.ExitCode;
import io.phaseload.engine.RunControl;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * While it is open, the first Ctrl-C (or SIGTERM, or the end of the terminal) asks for an orderly stop, and the next
 * one ends the JVM at once.
 */
public final class Interruption implements AutoCloseable {

    /**
     * One request to stop can arrive as two signals: timeout(1) signals its child, then at once the group, and a
     * wrapper passes on a Ctrl-C that the terminal sent to both. They are less than a millisecond apart, and some more
     * on a busy machine, where each has to wait for a processor. No user presses Ctrl-C twice in this time.
     */
    private static final long ECHO_NANOS = Duration.ofMillis(50).toNanos();

    private final Map<String, Object> previous = new LinkedHashMap<>();
    private final Runnable stop;
    private final Runnable tell;
    // Guarded by this.
    private boolean asked;
    private long askedNanos;

    /**
     * Catches signals.
     *
     * @param stop asks for an orderly stop
     * @param timeout of requests that are in flight
     * @param err gets a line on what is waited for, or the first Ctrl-C would seem to do nothing
     * @param clear erases a live line, or leaves the screen of the run, before that line
     */
    public Interruption(Runnable stop, Duration timeout, PrintStream err, Runnable clear) {
        this.stop = stop;
        double limit = Math.min(timeout.toNanos(), RunControl.DRAIN_LIMIT.toNanos()) / 1e9;
        this.tell = () -> {
            clear.run();
            err.printf(
                    Locale.ROOT,
                    "Stopping: waiting up to %.1f s for requests in flight, then"
                            + " writing the results. Press Ctrl-C again to quit at once,"
                            + " without results.%n",
                    limit);
        };
        for (String signal : new String[] {"INT", "TERM", "HUP"}) {
            // A signal that the system doesn't know gets no handler and keeps its default.
            previous.put(signal, Signals.handle(signal, this::onSignal));
        }
    }

    private void onSignal() {
        // Before the lock, which the first signal holds while it is printed.
        onSignal(System.nanoTime());
    }

    private synchronized void onSignal(long now) {
        if (!asked) {
            asked = true;
            askedNanos = now;
            tell.run();
            stop.run();
        } else if (now - askedNanos > ECHO_NANOS) {
            Terminal.restore();
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
    }

    @Override
    public void close() {
        previous.forEach((signal, handler) -> {
            if (handler != null) {
                Signals.restore(signal, handler);
            }
        });
    }
}
