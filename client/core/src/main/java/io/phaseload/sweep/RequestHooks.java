package io.phaseload.sweep;

import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.UserConnection;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.request.RequestSource;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.sweep.trials.Trial;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends requests to each trial's target before and after the trial, in order, over HTTP/1.1. If a request fails, the
 * trial fails, and the remaining requests on that side of it aren't sent. Later requests, including those after the
 * trial, can use values from earlier responses.
 */
public final class RequestHooks implements TrialHooks {

    private final List<HookRequest> before;
    private final List<HookRequest> after;
    private final Map<String, String> values = new HashMap<>();

    /**
     * Makes hooks.
     *
     * @param before sent before each trial
     * @param after sent after each trial
     */
    public RequestHooks(List<HookRequest> before, List<HookRequest> after) {
        this.before = List.copyOf(before);
        this.after = List.copyOf(after);
    }

    @Override
    public Optional<String> before(Trial trial, Plan plan) {
        values.clear();
        values.putAll(trial.values());
        return send(before, plan);
    }

    @Override
    public Optional<String> after(Trial trial, Plan plan) {
        return send(after, plan);
    }

    private Optional<String> send(List<HookRequest> requests, Plan plan) {
        if (requests.isEmpty()) {
            return Optional.empty();
        }
        Target target = plan.target();
        long shortest = Math.min(
                target.connectTimeout().toNanos(), target.responseTimeout().toNanos());
        try (Deadlines deadlines = new Deadlines(shortest);
                UserConnection connection = new UserConnection(new Connector(target), deadlines)) {
            for (HookRequest request : requests) {
                Optional<String> failure = send(request, plan, connection);
                if (failure.isPresent()) {
                    return failure;
                }
            }
            return Optional.empty();
        }
    }

    private Optional<String> send(HookRequest hook, Plan plan, UserConnection connection) {
        Operation operation;
        try {
            operation = hook.request().apply(Map.copyOf(values));
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        Plan alone = plan.withThresholds(List.of()).withOperations(List.of(operation));
        PreparedRequest request = RequestSource.of(alone).get(0, null);
        // A connection that waits for no turn sends always.
        Outcome outcome = ((Exchange) connection.exchangeKeepingBody(request)).outcome();
        Optional<String> failure = outcome == Outcome.SUCCESS
                ? hook.take(connection.lastBody(), values)
                : Optional.of(outcome.cause().key() + (outcome.detail().isEmpty() ? "" : ", " + outcome.detail()));
        return failure.map(reason -> hook.name() + ": " + reason);
    }
}
