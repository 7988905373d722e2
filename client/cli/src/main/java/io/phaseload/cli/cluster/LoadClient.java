package io.phaseload.cli.cluster;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.PrintStream;

/** Who sends a run's load: this JVM, or agents. */
public interface LoadClient extends AutoCloseable {

    /**
     * Runs the plan.
     *
     * @throws IOException if it couldn't, with a message for people
     */
    Result run() throws IOException;

    /**
     * Ends the run early, and keeps what was measured. Called by any thread, any number of times.
     */
    void stop();

    /** Says, and keeps, what it knows beside the result. */
    default void write(PrintStream out) {}

    @Override
    void close();

    /** This JVM. */
    static LoadClient here(Plan plan, RunListener listener) {
        ThreadsLoadClient client = ThreadsLoadClient.of(plan, listener);
        return new LoadClient() {
            @Override
            public Result run() {
                return client.run();
            }

            @Override
            public void stop() {
                client.close();
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }
}
