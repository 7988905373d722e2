package io.phaseload.sweep;

import io.phaseload.engine.Listeners;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans one after another until it is stopped. One thread calls {@link #run} and {@link #pause}; any thread may
 * call {@link #close()}, any number of times.
 */
public final class RunSeries implements AutoCloseable {

    private final TrialClient.ClientSource clients;
    private final CountDownLatch stopped = new CountDownLatch(1);
    // Guarded by this.
    private @Nullable TrialClient running;

    /**
     * Makes a series without a run.
     *
     * @param clients makes the client of each run
     */
    public RunSeries(TrialClient.ClientSource clients) {
        this.clients = clients;
    }

    /** Ends the current run, which then is interrupted, and all later ones. Returns at once. */
    @Override
    public void close() {
        stopped.countDown();
        synchronized (this) {
            if (running != null) {
                running.close();
            }
        }
    }

    /**
     * Whether there are to be no more runs.
     *
     * @return {@code true} after {@link #close()}, or if the calling thread was interrupted
     */
    public boolean isStopped() {
        return stopped.getCount() == 0 || Thread.currentThread().isInterrupted();
    }

    /**
     * Waits between two runs.
     *
     * @param length the time to wait
     * @return {@code false} if the series was stopped meanwhile; the thread's interrupt flag stays set
     */
    public boolean pause(Duration length) {
        try {
            return !stopped.await(length.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Runs a plan and waits for its end.
     *
     * @param plan the plan
     * @param listener receives its progress
     * @param completed adds to the result before it is written
     * @return the measurement
     * @throws IOException if nothing could be measured
     */
    public Result run(Plan plan, RunListener listener, UnaryOperator<Result> completed) throws IOException {
        try (TrialClient client = clients.open(plan, listener)) {
            synchronized (this) {
                running = client;
            }
            if (isStopped()) {
                client.close();
            }
            return completed.apply(client.run());
        } finally {
            synchronized (this) {
                running = null;
            }
        }
    }

    /**
     * Runs a plan, and writes its intervals and its result.
     *
     * @param folder the run's own, new or empty
     * @param plan the plan
     * @param listener receives its progress
     * @param completed adds to the result before it is written
     * @return the measurement
     * @throws IOException if nothing could be measured, or the folder can't be written to
     */
    public Result run(ResultFolder folder, Plan plan, RunListener listener, UnaryOperator<Result> completed)
            throws IOException {
        try (IntervalFiles files = folder.begin(plan)) {
            Result result = run(plan, new Listeners(List.of(listener, files)), completed);
            folder.write(result);
            if (files.failure().isPresent()) {
                throw files.failure().get();
            }
            return result;
        }
    }
}
