package io.phaseload.cluster.clock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks chrony of this machine's time of day, where there is one. Thread-safe; never waits. */
public final class ChronyReader {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private volatile Optional<TimeService> last = Optional.empty();
    private volatile boolean absent;
    // Guarded by this.
    private long asked = System.nanoTime() - FRESH_NANOS;

    /** Its last answer; it is queried every ten seconds. */
    public synchronized Optional<TimeService> last() {
        if (!absent && System.nanoTime() - asked >= FRESH_NANOS) {
            asked = System.nanoTime();
            Thread thread = new Thread(this::ask, "chronyc");
            thread.setDaemon(true);
            thread.start();
        }
        return last;
    }

    private void ask() {
        try {
            Process process = new ProcessBuilder("chronyc", "-c", "tracking")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            byte[] said = process.getInputStream().readAllBytes();
            last = TimeService.parse(new String(said, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            absent = true;
            last = Optional.empty();
        }
    }
}
