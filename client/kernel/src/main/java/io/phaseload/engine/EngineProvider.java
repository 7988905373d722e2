package io.phaseload.engine;

import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import java.util.Set;

/** Creates engines of one kind. Implementations are found by {@link java.util.ServiceLoader}; they have no state. */
public interface EngineProvider {

    /** {@return the engine's name in plans: lower-case text such as {@code threads}} */
    String name();

    /** {@return the parts of plans that this engine can run, beside those that all can} */
    Set<Capability> capabilities();

    /**
     * Creates an engine for one run.
     *
     * @return an engine that has not begun
     * @throws IllegalArgumentException if the plan asks for something that this engine, this JDK or this host can't do
     */
    Engine create(Plan plan, RunListener listener);
}
