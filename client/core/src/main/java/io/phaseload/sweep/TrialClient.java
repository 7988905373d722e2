package io.phaseload.sweep;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.run.Steering;
import java.io.IOException;

/** Sends the load of one trial. {@link #run()} is called once; {@link #close()} by any thread, any number of times. */
public interface TrialClient extends AutoCloseable {

    /** Makes the client of each trial. */
    @FunctionalInterface
    interface ClientSource {

        /** This JVM sends the load. */
        ClientSource HERE = (plan, listener) -> {
            ThreadsLoadClient client = ThreadsLoadClient.of(plan, listener);
            return new TrialClient() {
                @Override
                public Result run() {
                    return client.run();
                }

                @Override
                public Steering steering() {
                    return client.steering();
                }

                @Override
                public void close() {
                    client.close();
                }
            };
        };

        /**
         * Makes a client.
         *
         * @param plan of the trial
         * @param listener told of its progress
         * @return a client that hasn't begun
         * @throws IOException if there can't be one; it ends the sweep
         */
        TrialClient open(Plan plan, RunListener listener) throws IOException;
    }

    /**
     * Runs the plan and waits for its end.
     *
     * @return the measurement
     * @throws IOException if nothing could be; it ends the sweep
     */
    Result run() throws IOException;

    /** {@return a hand on the load while it runs} */
    default Steering steering() {
        return Steering.refusing("the load of agents cannot be changed while they run", this::close);
    }

    /** Ends the run early, if it is running. Returns at once. */
    @Override
    void close();
}
