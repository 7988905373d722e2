package io.phaseload.engine;

import io.phaseload.engine.threads.UserThreads;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The engine that contract tests run on: platform threads, or what the system properties {@value #NAME},
 * {@value #TRANSPORT}, {@value #CLIENT} and {@value #VIRTUAL} say. Tests that are tagged {@code contract} must pass on
 * all.
 */
public final class TestEngine {

    /** The property with the engine's name. */
    public static final String NAME = "phaseload.test.engine";

    /** The property with its transport. */
    public static final String TRANSPORT = "phaseload.test.transport";

    /** The property with what users of threads send with. */
    public static final String CLIENT = "phaseload.test.client";

    /** The property that is {@code true} for virtual threads. */
    public static final String VIRTUAL = "phaseload.test.virtual";

    /** So that connections are the users', and a closed one is found as our own client finds it. */
    private static final HttpClientSettings ONE_A_USER = HttpClientSettings.DEFAULT.with(new ConnectionPool(
            OptionalInt.empty(),
            OptionalInt.empty(),
            ConnectionPool.Policy.LIFO,
            ConnectionPool.Concurrency.STRICT,
            Optional.empty(),
            Duration.ofMillis(1),
            ConnectionPool.DEFAULT.keepAlive()));

    private TestEngine() {}

    /** Creates an engine for one run of a plan, whatever engine that names. */
    public static Engine of(Plan plan, RunListener listener) {
        return Engines.create(on(plan), listener);
    }

    /** A plan with the engine under test, and with what it asks of any engine. */
    public static Plan on(Plan plan) {
        EngineSettings.Builder engine = builder();
        plan.engine().connectRate().ifPresent(engine::connectRate);
        return plan.toBuilder()
                .engine(engine.build())
                .virtualThreads(plan.virtualThreads() || isVirtual())
                .build();
    }

    /** Whether users are virtual threads. */
    public static boolean isVirtual() {
        return Boolean.getBoolean(VIRTUAL);
    }

    /** An unstarted thread such as users have. */
    public static Thread newThread(Runnable task) {
        return UserThreads.newThread(isVirtual(), "phaseload-test", task);
    }

    /** The engine under test. */
    public static EngineSettings settings() {
        return builder().build();
    }

    private static EngineSettings.Builder builder() {
        EngineSettings.Builder engine = EngineSettings.builder(System.getProperty(NAME, EngineSettings.THREADS.name()));
        if (HttpClientSettings.NAME.equals(System.getProperty(CLIENT))) {
            engine.client(ONE_A_USER);
        }
        String transport = System.getProperty(TRANSPORT);
        return transport == null ? engine : engine.transport(transport);
    }
}
