package io.phaseload.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jline.utils.Signals;

/**
 * While it is open, the first Ctrl-C (or SIGTERM, or the end of the terminal) asks for an orderly
 * stop, and the next one ends the JVM at once.
 */
final class Interruption implements AutoCloseable {

    /** One wish to stop can arrive as two signals: timeout(1) signals its child, then the group. */
    private static final long ECHO_NANOS = Duration.ofMillis(500).toNanos();

    private final Map<String, Object> previous = new LinkedHashMap<>();
    private final Runnable stop;
    // Guarded by this.
    private boolean asked;
    private long askedNanos;

    Interruption(Runnable stop) {
        this.stop = stop;
        for (String signal : new String[] {"INT", "TERM", "HUP"}) {
            // No handler where the system doesn't know the signal: it then does what it always
            // does.
            previous.put(signal, Signals.register(signal, this::onSignal));
        }
    }

    private synchronized void onSignal() {
        long now = System.nanoTime();
        if (!asked) {
            asked = true;
            askedNanos = now;
            stop.run();
        } else if (now - askedNanos > ECHO_NANOS) {
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
    }

    @Override
    public void close() {
        previous.forEach(
                (signal, handler) -> {
                    if (handler != null) {
                        Signals.unregister(signal, handler);
                    }
                });
    }
}
