package io.phaseload.httpclient;

import io.phaseload.engine.Engines;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.run.RunListener;
import java.net.URI;
import java.time.Duration;

/** A phase of users that share what settings say. */
final class SharedRun {

    private SharedRun() {}

    static PhaseMeasurement run(URI uri, int users, int iterations, HttpClientSettings settings) {
        return run(uri, users, iterations, settings, RunListener.NONE);
    }

    static PhaseMeasurement run(URI uri, int users, int iterations, HttpClientSettings settings, RunListener listener) {
        return run(plan(uri, users, iterations, settings).build(), listener);
    }

    private static PhaseMeasurement run(Plan plan, RunListener listener) {
        return Engines.create(plan, listener).run().phases().get(0);
    }

    static Tally tally(URI uri, int users, int iterations, HttpClientSettings settings) {
        return tally(plan(uri, users, iterations, settings).build());
    }

    static Tally tally(Plan plan) {
        return Tallies.sum(run(plan, RunListener.NONE).operations());
    }

    static PlanBuilder plan(URI uri, int users, int iterations, HttpClientSettings settings) {
        return Plan.builder(uri)
                .threads(users)
                .responseTimeout(Duration.ofSeconds(1))
                .operations(Operation.get("/"))
                .engine(EngineSettings.builder("threads").client(settings).build())
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(iterations)));
    }
}
