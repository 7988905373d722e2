package io.phaseload.cli.sweep;

import io.phaseload.cli.run.LocalTarget;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.server.TargetServer;
import io.phaseload.sweep.TrialHooks;
import io.phaseload.sweep.trials.Trial;
import java.util.Optional;

/** Adds the target's own count of requests to each trial's result. */
final class CountedTarget implements TrialHooks {

    private final TrialHooks hooks;
    private final LocalTarget local;
    private final TargetServer server;
    private long served;

    /**
     * Makes one.
     *
     * @param local describes the target
     * @param server the target
     */
    CountedTarget(TrialHooks hooks, LocalTarget local, TargetServer server) {
        this.hooks = hooks;
        this.local = local;
        this.server = server;
    }

    @Override
    public Optional<String> before(Trial trial, Plan plan) {
        Optional<String> failure = hooks.before(trial, plan);
        served = server.requestsServed();
        return failure;
    }

    @Override
    public Result measured(Trial trial, Result result) {
        return local.counted(result, server, served);
    }

    @Override
    public Optional<String> after(Trial trial, Plan plan) {
        return hooks.after(trial, plan);
    }
}
