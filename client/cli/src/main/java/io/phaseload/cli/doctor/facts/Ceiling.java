package io.phaseload.cli.doctor.facts;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.HttpClientSettings.Feature;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How many requests a second this machine can send with a plan's engine and requests: measured without pauses against a
 * {@link NullServer} that shares its CPUs, so that it is a lower bound.
 *
 * @param perSecond requests per second
 * @param serverShare the share of the CPU time that the server took, 0 to 1
 * @param failures the number of requests that failed, by cause; then the other figures mean nothing
 */
public record Ceiling(int users, double perSecond, double serverShare, Map<String, Long> failures) {

    /** More users take longer to start than the measurement lasts. */
    private static final int MOST_USERS = 1_000;

    /**
     * Measures it, in about three times the length.
     *
     * @param users of the plan's largest phase
     * @param length of what is measured; the warm-up before it is twice as long
     */
    public static Ceiling measure(Plan plan, int users, long files, Duration length) {
        int some = (int) Math.max(1, Math.min(Math.min(users, MOST_USERS), files / 2));
        try (NullServer server = new NullServer();
                ThreadsLoadClient client = ThreadsLoadClient.of(against(server, plan, some, length))) {
            Result result = client.run();
            Figures totals = result.totals();
            double cores = Runtime.getRuntime().availableProcessors();
            return new Ceiling(
                    some,
                    result.measured().requestsPerSecond(),
                    Math.min(1, server.cpu().toNanos() / (cores * totals.wall().toNanos())),
                    totals.failures());
        } catch (IOException e) {
            return new Ceiling(some, 0, 0, Map.of(String.valueOf(e.getMessage()), 1L));
        }
    }

    private static Plan against(NullServer server, Plan plan, int users, Duration length) {
        Target target = plan.target();
        String query = target.uri().getRawQuery();
        URI uri = URI.create(
                "http://127.0.0.1:" + server.port() + target.uri().getRawPath() + (query == null ? "" : "?" + query));
        return plan.toBuilder()
                .bare()
                .name("doctor")
                .target(new Target(
                        uri, kept(target.headers()), target.connectTimeout(), target.responseTimeout(), false))
                .scenario(new Scenario(plan.scenario().operations().stream()
                        .map(Ceiling::unchecked)
                        .toList()))
                .threads(users)
                .phases(phase("warmup", length.multipliedBy(2)), phase("peak", length))
                .engine(engine(plan.engine()))
                .build();
    }

    private static Phase phase(String name, Duration length) {
        return new Phase(name, 1, new PhaseLength.Lasting(length), Load.Closed.AT_ONCE);
    }

    private static Operation unchecked(Operation operation) {
        return new Operation(
                operation.name(),
                operation.method(),
                operation.path(),
                kept(operation.headers()),
                operation.body(),
                List.of());
    }

    /** Else the run that follows would find all local ports in use. */
    private static List<Header> kept(List<Header> headers) {
        return headers.stream()
                .filter(header -> !header.name().equalsIgnoreCase("Connection"))
                .toList();
    }

    private static EngineSettings engine(EngineSettings engine) {
        return new EngineSettings(
                engine.name(),
                engine.protocol(),
                engine.loops(),
                engine.transport(),
                Optional.empty(),
                engine.client().map(Ceiling::direct),
                false);
    }

    /** The server asks for no body. */
    private static HttpClientSettings direct(HttpClientSettings client) {
        Set<Feature> features = client.features().stream()
                .filter(feature -> feature != Feature.EXPECT_CONTINUE)
                .collect(Collectors.toSet());
        return new HttpClientSettings(client.pool(), client.leaseTimeout(), client.retries(), features, Access.OPEN);
    }
}
