package io.phaseload.engine.threads;

import io.phaseload.engine.Capability;
import io.phaseload.engine.Engine;
import io.phaseload.engine.EngineProvider;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.RunController;
import io.phaseload.http.client.Client;
import io.phaseload.http.client.ClientProvider;
import io.phaseload.http.client.Clients;
import io.phaseload.http.request.RequestSource;
import io.phaseload.http.socket.SocketClients;
import io.phaseload.http.socket.SocketSteps;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.run.EngineUse;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import io.phaseload.run.Steering;
import java.util.Optional;
import java.util.Set;

/** Runs a plan's phases one after another with one thread per user. */
public final class ThreadEngine implements Engine {

    /** Creates this engine for plans that don't name another one. */
    public static final class Provider implements EngineProvider {

        /** Creates a provider. */
        public Provider() {}

        @Override
        public String name() {
            return EngineSettings.THREADS.name();
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.VIRTUAL_THREADS, Capability.OTHER_CLIENTS, Capability.SIGNED_REQUESTS);
        }

        @Override
        public Engine create(Plan plan, RunListener listener) {
            return new ThreadEngine(plan, listener);
        }
    }

    private final Plan plan;
    private final ClientProvider clients;
    private final RunController controller;

    /**
     * Creates an engine for one run, with the client that the plan names.
     *
     * @param listener receives its progress
     * @throws IllegalArgumentException if the plan wants virtual threads and this JDK has none, names a client that
     *     isn't on the class path, or sets what only event loops have
     */
    public ThreadEngine(Plan plan, RunListener listener) {
        this(plan, listener, Clients.of(plan));
    }

    /**
     * Creates an engine for one run, with a client of the caller's.
     *
     * @param listener receives its progress
     * @param clients makes the client, once
     * @throws IllegalArgumentException if the plan asks for virtual threads and this JDK has none, or for something
     *     that only event loops have, or that the client doesn't
     */
    public ThreadEngine(Plan plan, RunListener listener, ClientProvider clients) {
        clients.check(plan);
        if (plan.scenario().journeys().filter(Journeys::haveSockets).isPresent()) {
            SocketClients.find();
        }
        if (plan.virtualThreads() && !UserThreads.virtualSupported()) {
            throw new IllegalArgumentException("virtual threads: expected JDK 21 or later, this is JDK "
                    + Runtime.version().feature());
        }
        this.plan = plan;
        this.clients = clients;
        this.controller = new RunController(plan, listener);
    }

    @Override
    public Measurement run(StartGate gate) {
        try (Client client = clients.create(plan)) {
            RequestSource requests = RequestSource.of(plan);
            Optional<SocketSteps> steps = SocketSteps.of(plan, requests);
            return controller.run(EngineUse.THREADS, gate, phase -> new ThreadUsers(phase, client, requests, steps));
        }
    }

    @Override
    public void stop() {
        controller.stop();
    }

    @Override
    public Steering steering() {
        return controller;
    }
}
