package io.phaseload.cli.sweep;

import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.LoadState;
import io.phaseload.run.Steering;
import io.phaseload.sweep.TrialClient;
import java.util.Optional;

/** Ends a sweep, in order or at once. The load of a trial can't be changed: its row is about the planned load. */
final class SweepSteering implements Steering {

    private volatile Runnable stop = () -> {};
    private volatile Optional<TrialClient> current = Optional.empty();

    /** The source of the trials' clients, as this one sees it. */
    TrialClient.ClientSource watching(TrialClient.ClientSource source) {
        return (plan, listener) -> {
            TrialClient client = source.open(plan, listener);
            current = Optional.of(client);
            return client;
        };
    }

    void begin(Runnable stopping) {
        stop = stopping;
    }

    @Override
    public LoadEvent steer(Kind kind, String to, String origin) {
        LoadEvent event = Steering.refusing("the load of a sweep's trials cannot be changed", stop)
                .steer(kind, to, origin);
        if (kind == Kind.ABORT) {
            current.ifPresent(client -> client.steering().steer(kind, to, origin));
        }
        return event;
    }

    @Override
    public Optional<LoadState> load() {
        return Optional.empty();
    }
}
