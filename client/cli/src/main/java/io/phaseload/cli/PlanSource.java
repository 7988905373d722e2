package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import java.net.URI;
import java.util.Optional;

/** Where {@code run} has its plan from. */
sealed interface PlanSource permits RunPlan, RepeatedPlan {

    /** The address to send to; empty if a target is to be started. */
    Optional<URI> url() throws UsageException;

    /** The name of the target to start where there is no address. */
    String target();

    /** The plan against an address. */
    Plan against(URI uri) throws UsageException;
}
