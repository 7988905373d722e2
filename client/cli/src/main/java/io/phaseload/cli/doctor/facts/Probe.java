package io.phaseload.cli.doctor.facts;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How the target treats connections, found out by a few requests of the plan's own.
 *
 * @param users the users that sent at once in the second part
 * @param one one user that sends one request after another
 * @param many users that keep their connections open at the same time, with two requests each
 */
public record Probe(int users, Figures one, Figures many) {

    /** How often one user sends at most. */
    public static final int REQUESTS = 101;

    private static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Each part ends after this time at the latest, and what is in flight then. */
    private static final int MOST_SECONDS = 5;

    /**
     * Sends at most {@value #REQUESTS} requests over one connection and then two over each of several.
     *
     * @return empty if the plan has no such request, or journeys, whose requests depend on others
     */
    public static Optional<Probe> of(Plan plan, int users) {
        return plan.scenario().operations().stream()
                .filter(operation -> plan.scenario().journeys().isEmpty())
                .filter(operation -> HARMLESS.contains(operation.method()))
                .findFirst()
                .map(operation -> new Probe(
                        users,
                        run(plan, operation, 1, REQUESTS, Pause.NONE),
                        run(plan, operation, users, 2, Pause.of(PAUSE))));
    }

    private static Figures run(Plan plan, Operation operation, int users, int iterations, Pause pause) {
        Phase phase = new Phase(
                "probe", 1, new PhaseLength.Iterations(iterations), new Load.Closed(pause, Pause.NONE, Duration.ZERO));
        Plan small = plan.toBuilder()
                .bare()
                .name("doctor")
                .operations(operation)
                .threads(users)
                .phases(phase)
                .build();
        try (ThreadsLoadClient client = ThreadsLoadClient.of(small)) {
            CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS).execute(client::close);
            return client.run().totals();
        }
    }
}
