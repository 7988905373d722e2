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
        EngineProvider provider = providers().stream()
                .filter(of -> of.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "engine %s: expected %s".formatted(name, String.join(" or ", names()))));
        check(plan, provider);
        return provider.create(plan, listener);
    }

    /**
     * Checks that an engine can run a plan.
     *
     * @throws IllegalArgumentException naming the part of the plan that it can't run
     */
    public static void check(Plan plan, EngineProvider provider) {
        Capability.of(plan).forEach((capability, part) -> {
            if (!provider.capabilities().contains(capability)) {
                throw new IllegalArgumentException(part + " cannot be combined with engine " + provider.name());
            }
        });
    }

    private static List<EngineProvider> providers() {
        return ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
