package io.phaseload.engine.threads;

import io.phaseload.engine.Capability;
import io.phaseload.engine.Engine;
import io.phaseload.engine.EngineProvider;
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
import java.util.Optional;
import java.util.Set;

/** Runs a plan's phases one after another with one thread per user: the engine of plans that don't name another one. */
public final class ThreadEngine implements EngineProvider {

    /** Creates a provider. */
    public ThreadEngine() {}

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
        return of(plan, listener, Clients.of(plan));
    }

    /**
     * Creates an engine for one run, with a client of the caller's.
     *
     * @param listener receives its progress
     * @param clients makes the client, once
     * @throws IllegalArgumentException if the plan asks for virtual threads and this JDK has none, or for something
     *     that only event loops have, or that the client doesn't
     */
    public static Engine of(Plan plan, RunListener listener, ClientProvider clients) {
        clients.check(plan);
        boolean sockets =
                plan.scenario().journeys().filter(Journeys::haveSockets).isPresent();
        if (sockets) {
            SocketClients.find();
        }
        if (plan.virtualThreads() && !UserThreads.virtualSupported()) {
            throw new IllegalArgumentException("virtual threads: expected JDK 21 or later, this is JDK "
                    + Runtime.version().feature());
        }
        RunController controller = new RunController(plan, listener);
        return new Engine(controller, gate -> {
            try (Client client = clients.create(plan)) {
                RequestSource requests = RequestSource.of(plan);
                Optional<SocketSteps> steps = sockets ? Optional.of(new SocketSteps(plan, requests)) : Optional.empty();
                return controller.run(
                        EngineUse.THREADS, gate, phase -> new ThreadUsers(phase, client, requests, steps));
            }
        });
    }
}
