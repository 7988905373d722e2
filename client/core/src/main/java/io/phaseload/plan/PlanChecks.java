package io.phaseload.plan;

import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.stream.EventStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the parts of a {@link Plan} go together. */
final class PlanChecks {

    private PlanChecks() {}

    /**
     * Checks all but the thresholds.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    static void check(
            Target target,
            Scenario scenario,
            List<Phase> phases,
            EngineSettings engine,
            Optional<RequestSigner> signer) {
        Set<String> names = new HashSet<>();
        for (Phase phase : phases) {
            if (!names.add(phase.name())) {
                throw new IllegalArgumentException("phase '%s': expected unique names".formatted(phase.name()));
            }
        }
        checkTotals(phases, scenario);
        boolean messages = engine.protocol() instanceof Protocol.WebSocket;
        if (messages != Target.isWebSocket(target.uri().toString())) {
            throw new IllegalArgumentException(
                    "url '%s': expected ws:// or wss:// with messages, and only there".formatted(target.address()));
        }
        if (!messages && target.route() instanceof Route.Nodes) {
            throw new IllegalArgumentException("nodes needs messages");
        }
        if (messages) {
            checkMessages(scenario, phases);
        }
        scenario.operations()
                .forEach(operation ->
                        operation.events().ifPresent(events -> checkStream(operation.name(), events, target, engine)));
        if (scenario.journeys().isPresent() && signer.isPresent()) {
            throw new IllegalArgumentException("scenarios cannot be combined with signed requests");
        }
        if (target.forwarder().isPresent()
                && scenario.journeys().filter(Journeys::haveSockets).isPresent()) {
            throw new IllegalArgumentException("proxy of HTTP cannot be combined with a step connect without TLS");
        }
        List<String> inOrder = phases.stream().map(Phase::name).toList();
        scenario.journeys().ifPresent(journeys -> journeys.checkPhases(inOrder));
    }

    private static void checkMessages(Scenario scenario, List<Phase> phases) {
        if (!scenario.equals(Scenario.messages())) {
            throw new IllegalArgumentException("operations cannot be combined with messages");
        }
        for (Phase phase : phases) {
            if (!(phase.load() instanceof Load.Open)) {
                throw new IllegalArgumentException("phase '%s': expected a rate of messages".formatted(phase.name()));
            }
        }
    }

    private static void checkStream(String name, EventStream events, Target target, EngineSettings engine) {
        if (!engine.readsStreams()) {
            throw new IllegalArgumentException(
                    "event stream of %s: expected HTTP/1.1 with a connection for each user".formatted(name));
        }
        if (events.sentAt().isPresent() && !isOfThisMachine(target)) {
            throw new IllegalArgumentException(("event stream of %s: sentAt: expected a target on this machine, such as"
                            + " http://localhost:8080/, whose clock is the client's")
                    .formatted(name));
        }
    }

    private static boolean isOfThisMachine(Target target) {
        if (target.route() instanceof Route.To to) {
            return to.hosts().stream().allMatch(PlanChecks::isLoopback);
        }
        return target.route() instanceof Route.UnixSocket
                || target.route() instanceof Route.Direct && isLoopback(target.host());
    }

    private static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    /**
     * Checks that users of a closed model run whole iterations.
     *
     * @throws IllegalArgumentException naming the total, and what is allowed
     */
    private static void checkTotals(List<Phase> phases, Scenario scenario) {
        int each = scenario.journeys().isPresent() ? 1 : scenario.order().length;
        for (Phase phase : phases) {
            if (phase.load() instanceof Load.Closed
                    && phase.length() instanceof PhaseLength.Total total
                    && total.count() % each != 0) {
                throw new IllegalArgumentException("total %d: expected a multiple of %d, the requests of an iteration"
                        .formatted(total.count(), each));
            }
        }
    }

    /**
     * Checks that phases can have their changes of load.
     *
     * @throws IllegalArgumentException naming the change, and the reason if not
     */
    static void checkChanges(List<LoadChange> changes, List<Phase> phases) {
        for (LoadChange change : changes) {
            Phase phase = phases.stream()
                    .filter(of -> of.name().equals(change.phase()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("change '%s': expected a phase of %s"
                            .formatted(change, phases.stream().map(Phase::name).collect(Collectors.joining(", ")))));
            change.check(phase);
        }
    }

    /**
     * Checks that a threshold is about what the plan has.
     *
     * @throws IllegalArgumentException naming the threshold, and what it may be about
     */
    static void checkScope(Threshold threshold, List<Phase> phases, Scenario scenario) {
        List<String> names = phases.stream().map(Phase::name).toList();
        if (threshold.phase().isPresent() && !names.contains(threshold.phase().get())) {
            throw new IllegalArgumentException(
                    "threshold '%s': expected a phase of %s".formatted(threshold, String.join(", ", names)));
        }
        List<String> named = new ArrayList<>();
        scenario.operations().forEach(operation -> named.add(operation.name()));
        named.addAll(scenario.timed());
        if (threshold.operation().isPresent()
                && !named.contains(threshold.operation().get())) {
            throw new IllegalArgumentException("threshold '%s': expected an operation%s of %s"
                    .formatted(
                            threshold,
                            scenario.journeys().isPresent() ? " or a journey" : "",
                            String.join(", ", named)));
        }
    }
}
