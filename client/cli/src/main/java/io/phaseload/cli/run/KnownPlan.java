package io.phaseload.cli.run;

import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Writes a run's plan when its first phase begins, so that a killed run can be read. Writing takes as long as
 * everything else before the first request.
 */
final class KnownPlan implements RunListener {

    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> written;

    KnownPlan(ResultFolder folder, Plan plan) {
        written = begun.thenRunAsync(() -> {
            try {
                folder.writePlan(plan);
            } catch (IOException e) {
                // The run is measured all the same. The result can't be written either, which is reported.
            }
        });
    }

    @Override
    public void phaseStarted(Phase phase, int users) {
        begun.complete(null);
    }

    /** Waits until the plan is written. */
    void join() {
        begun.complete(null);
        written.join();
    }
}
