package io.phaseload.http.client;

import io.phaseload.plan.Plan;
import java.util.List;
import java.util.ServiceLoader;

/** The clients on the class path. */
public final class Clients {

    private Clients() {}

    /**
     * The provider of the client that a plan names.
     *
     * @return a provider
     * @throws IllegalArgumentException if there is none of that name
     */
    public static ClientProvider of(Plan plan) {
        String name = plan.engine().clientName();
        List<ClientProvider> providers =
                ServiceLoader.load(ClientProvider.class, Clients.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        return providers.stream()
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("client %s: expected %s"
                        .formatted(
                                name,
                                String.join(
                                        " or ",
                                        providers.stream()
                                                .map(ClientProvider::name)
                                                .sorted()
                                                .toList()))));
    }
}
