package io.phaseload.plan;

import io.phaseload.host.HostFigure;
import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.plan.stream.EventStream;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
                throw new ValueException("phase '%s'".formatted(phase.name()), "unique names");
            }
        }
        checkTotals(phases, scenario);
        boolean messages = engine.protocol() instanceof Protocol.WebSocket;
        if (messages != Target.isWebSocket(target.uri().toString())) {
            throw new ValueException(
                    "url '%s'".formatted(target.address()), "ws:// or wss:// with messages, and only there");
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
        checkMetrics(scenario);
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

    /** Only a message that is expected has a time of receipt beside values of its own. */
    private static void checkMetrics(Scenario scenario) {
        List<Step.Measured> steps = scenario.journeys().map(Journeys::requests).orElse(List.of());
        for (int i = 0; i < scenario.operations().size(); i++) {
            boolean expects = i < steps.size()
                    && steps.get(i) instanceof Step.Socket socket
                    && socket.action() instanceof SocketAction.Expect;
            for (Metric metric : scenario.operations().get(i).metrics()) {
                if (metric.isSince() && !expects) {
                    throw new IllegalArgumentException("metric %s needs a step expect".formatted(metric));
                }
            }
        }
    }

    private static void checkMessages(Scenario scenario, List<Phase> phases) {
        if (scenario.pairs().isEmpty()) {
            throw new IllegalArgumentException("operations cannot be combined with messages");
        }
        for (Phase phase : phases) {
            if (!(phase.load() instanceof Load.Open)) {
                throw new ValueException("phase '%s'".formatted(phase.name()), "a rate of messages");
            }
        }
    }

    private static void checkStream(String name, EventStream events, Target target, EngineSettings engine) {
        if (!engine.readsStreams()) {
            throw new ValueException("event stream of " + name, "HTTP/1.1 with a connection for each user");
        }
        if (events.sentAt().isPresent() && !isOfThisMachine(target)) {
            throw new ValueException(
                    "event stream of %s: sentAt".formatted(name),
                    "a target on this machine, such as http://localhost:8080/, whose clock is the client's");
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
                throw new ValueException(
                        "total %d".formatted(total.count()),
                        "a multiple of %d, the requests of an iteration".formatted(each));
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
                    .orElseThrow(() -> new ValueException(
                            "change '%s'".formatted(change),
                            "a phase of " + phases.stream().map(Phase::name).collect(Collectors.joining(", "))));
            change.check(phase);
        }
    }

    /**
     * Checks that a phase can go on until thresholds are decided.
     *
     * @throws IllegalArgumentException if it can't
     */
    static void checkDecided(Duration most, Phase phase) {
        boolean constant = !(phase.load() instanceof Load.Open open)
                || open.schedule() instanceof ConstantArrivals
                || open.schedule() instanceof PoissonArrivals;
        if (!(phase.length() instanceof PhaseLength.Lasting planned) || !constant) {
            throw new ValueException(
                    "until-decided: phase '%s'".formatted(phase.name()), "a duration and a constant load");
        }
        if (most.compareTo(planned.duration()) <= 0) {
            throw new ValueException(
                    "until-decided %s s".formatted(most.toSeconds()),
                    "more than the phase's %s s".formatted(planned.duration().toSeconds()));
        }
    }

    /**
     * Checks that a threshold is about what the plan has.
     *
     * @throws IllegalArgumentException naming the threshold, and what it may be about
     */
    static void checkScope(Threshold threshold, List<Phase> phases, Scenario scenario, List<String> serverFigures) {
        List<String> names = phases.stream().map(Phase::name).toList();
        if (threshold.phase().isPresent() && !names.contains(threshold.phase().get())) {
            throw wrong(threshold, "a phase of " + String.join(", ", names));
        }
        List<String> named = new ArrayList<>();
        scenario.operations().forEach(operation -> named.add(operation.name()));
        named.addAll(scenario.timed());
        Stream.concat(threshold.operation().stream(), threshold.other().stream().map(Threshold.Other::operation))
                .filter(name -> !named.contains(name))
                .forEach(name -> {
                    throw wrong(
                            threshold,
                            "an operation%s of %s"
                                    .formatted(
                                            scenario.journeys().isPresent() ? " or a journey" : "",
                                            String.join(", ", named)));
                });
        Figure figure = threshold.figure() instanceof Figure.Slope slope ? slope.of() : threshold.figure();
        if (figure instanceof Figure.Reported reported) {
            checkReported(threshold, reported, reported.client() ? HostFigure.names() : serverFigures);
        }
    }

    private static void checkReported(Threshold threshold, Figure.Reported figure, List<String> names) {
        if (names.isEmpty()) {
            throw wrong(threshold, "server metrics, which have its figure");
        }
        if (threshold.operation().isPresent()) {
            throw wrong(threshold, "no operation, since %s is of all".formatted(figure));
        }
        String name = figure.in(names).orElseThrow(() -> wrong(threshold, "a figure of " + String.join(", ", names)));
        String unit = Figure.Reported.unit(name);
        boolean fits =
                switch (threshold.unit()) {
                    case US, MS, S, M -> unit.equals("ms");
                    case KB, MB, GB, MIB, GIB -> unit.equals("MiB");
                    case PERCENT -> unit.equals("%") || threshold.figure() instanceof Figure.Slope;
                    case PER_SECOND -> unit.equals("/s");
                    default -> !unit.equals("MiB") && !unit.equals("ms");
                };
        if (!fits) {
            throw wrong(
                    threshold,
                    "a unit of %s, %s".formatted(name, unit.isEmpty() ? "which has none" : "such as " + unit));
        }
    }

    private static ValueException wrong(Threshold threshold, String expected) {
        return new ValueException("threshold '%s'".formatted(threshold), expected);
    }
}
