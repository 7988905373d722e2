package io.phaseload.engine;

import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import java.util.List;
import java.util.ServiceLoader;

/** The engines on the class path. */
public final class Engines {

    private Engines() {}

    /** {@return their names in plans, in alphabetical order; {@code threads} is always there} */
    public static List<String> names() {
        return providers().stream()
                .map(EngineProvider::name)
                .sorted()
                .distinct()
                .toList();
    }

    /**
     * Creates the engine that a plan names.
     *
     * @return an engine that has not begun
     * @throws IllegalArgumentException if there is no such engine, or it can't do what the plan asks for
     */
    public static Engine create(Plan plan, RunListener listener) {
        String name = plan.engine().name();
        return providers().stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "engine %s: expected %s".formatted(name, String.join(" or ", names()))))
                .create(plan, listener);
    }

    private static List<EngineProvider> providers() {
        return ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
