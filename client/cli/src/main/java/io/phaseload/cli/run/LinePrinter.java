package io.phaseload.cli.run;

import java.io.PrintStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Prints lines in order and in a thread of its own, so that nobody who has one waits for a terminal that takes no more.
 * Thread-safe.
 */
final class LinePrinter implements AutoCloseable {

    private final PrintStream out;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread printing = new Thread(task, "phaseload-printer");
        printing.setDaemon(true);
        return printing;
    });

    LinePrinter(PrintStream out) {
        this.out = out;
    }

    /** Prints a line soon; returns at once. */
    void print(String line) {
        thread.execute(() -> {
            out.println(line);
            out.flush();
        });
    }

    /** Waits until all is printed, or the thread is interrupted. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
