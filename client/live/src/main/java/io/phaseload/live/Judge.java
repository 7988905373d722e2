package io.phaseload.live;

import io.phaseload.host.Daemons;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Judges a run so far, in a thread of its own: at each phase's end, and within a phase so seldom that it takes at most
 * a hundredth of a core. Thread-safe.
 */
final class Judge {

    private static final Duration LEAST = Duration.ofSeconds(30);
    private static final long LEAST_TIMES_COST = 100;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemons.named("phaseload-judge"));
    private final Consumer<String> receiver;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile Optional<Path> folder = Optional.empty();
    private volatile long nextNanos = System.nanoTime() + LEAST.toNanos();

    Judge(Consumer<String> receiver) {
        this.receiver = receiver;
    }

    void begin(Path results) {
        folder = Optional.of(results);
    }

    /** Judges unless it did so lately. */
    void perhaps() {
        if (System.nanoTime() - nextNanos > 0) {
            now();
        }
    }

    /** Judges soon, unless it does already. */
    void now() {
        if (folder.isPresent() && busy.compareAndSet(false, true)) {
            thread.execute(() -> judge(folder.get()));
        }
    }

    private void judge(Path results) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try {
            receiver.accept(Judgement.of(results));
        } catch (IOException e) {
            // The files are half written now and then: the next judgement reads them whole.
        } finally {
            long cost = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
            nextNanos = System.nanoTime() + Math.max(LEAST.toNanos(), LEAST_TIMES_COST * cost);
            busy.set(false);
        }
    }

    void close() {
        thread.shutdownNow();
    }
}
