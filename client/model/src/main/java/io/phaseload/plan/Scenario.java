package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.share.Turns;
import io.phaseload.plan.stream.EventStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The requests of users: the same operations in each iteration, in order, or journeys.
 *
 * @param operations at least one; names are unique; of journeys, their request steps
 * @param journeys empty where all users send the same
 * @param weights the number of times that each operation is sent in an iteration, in relation to the others: 1 to
 *     10,000; empty for each once, and with journeys
 * @param pairs the protocol of messages between pairs; empty for requests
 */
public record Scenario(
        List<Operation> operations, Optional<Journeys> journeys, List<Integer> weights, Optional<PairProtocol> pairs) {

    /** The body that the default {@code POST /} sends. */
    public static final Body DEFAULT_BODY = Body.ofText("Phaseload says hello");

    /**
     * Checks the operations.
     *
     * @throws IllegalArgumentException if there are none, or two have the same name, or a weight is out of range; or if
     *     a template of pairs takes an unknown value
     */
    public Scenario {
        operations = Args.notEmpty("operations", operations);
        Set<String> names = new HashSet<>();
        for (Operation operation : operations) {
            if (!names.add(operation.name())) {
                throw new ValueException("operation '%s'".formatted(operation.name()), "unique names");
            }
        }
        pairs.ifPresent(PairProtocol::journeys);
        weights = List.copyOf(weights);
        weights.forEach(weight -> Limit.WEIGHT.check(weight));
        if (!weights.isEmpty() && (weights.size() != operations.size() || journeys.isPresent())) {
            throw new ValueException("weights", "one for each operation");
        }
        if (journeys.isEmpty()) {
            operations.forEach(Operation::fixed);
        } else if (!operations.equals(journeys.get().operations())) {
            throw new ValueException("operations", "the journeys' own");
        }
    }

    /** A scenario of requests. */
    public Scenario(List<Operation> operations, Optional<Journeys> journeys, List<Integer> weights) {
        this(operations, journeys, weights, Optional.empty());
    }

    /** {@return the scenario of a plan of messages between pairs, which a server relays by their path} */
    public static Scenario messages() {
        return messages(PairProtocol.RAW);
    }

    /**
     * The scenario of a plan of messages between pairs.
     *
     * @param protocol the protocol that they speak
     * @throws IllegalArgumentException if a template takes an unknown value
     */
    public static Scenario messages(PairProtocol protocol) {
        return new Scenario(
                List.of(Operation.get("/").named("message")), Optional.empty(), List.of(), Optional.of(protocol));
    }

    /**
     * The same operations in each iteration.
     *
     * @param operations at least one; names are unique
     * @throws IllegalArgumentException if there are none, or two of a name
     */
    public Scenario(List<Operation> operations) {
        this(operations, Optional.empty(), List.of());
    }

    /**
     * Journeys of users.
     *
     * @param journeys the users' journeys
     */
    public static Scenario of(Journeys journeys) {
        return new Scenario(journeys.operations(), Optional.of(journeys), List.of());
    }

    /**
     * This scenario for users who remember and answer something: its operations, in order, as one journey that goes on
     * after a failure.
     *
     * @param rules their session rules
     * @return journeys, of which nothing is a template; the target's headers are templates from now on, as ever with
     *     journeys
     * @throws IllegalArgumentException if it has journeys, which have rules of their own, or weights
     */
    public Scenario withSession(SessionRules rules) {
        if (journeys.isPresent() || !weights.isEmpty()) {
            throw new ValueException("session", "it with each journey");
        }
        Journey journey = Journey.named("requests").session(rules);
        for (Operation operation : operations) {
            journey = journey.step(new Step.Request(operation.literal(), List.of(), Step.OnFailure.CONTINUE));
        }
        return of(Journeys.of(journey));
    }

    /** {@return true if a redirect is followed by a request of its own} */
    public boolean followsRedirects() {
        return journeys.stream()
                .flatMap(all -> all.all().stream())
                .anyMatch(journey -> journey.session().redirects() > 0);
    }

    /**
     * The variables' values.
     *
     * @param environment the environment of variables that name it
     * @return by name; none without variables
     * @throws IllegalArgumentException if a variable isn't in the environment
     */
    public Map<String, String> variables(Map<String, String> environment) {
        return journeys.or(() -> pairs.map(PairProtocol::journeys))
                .map(all -> all.filled(environment))
                .orElse(Map.of());
    }

    /** With other values of its variables, if it has some. */
    Scenario withVariables(Map<String, String> values) {
        return pairs.map(protocol -> messages(protocol.withVariables(values)))
                .orElseGet(() -> withJourneys(all -> all.withVariables(values)));
    }

    /** With other journeys, if it has some. */
    Scenario withJourneys(UnaryOperator<Journeys> change) {
        return journeys.map(all -> of(change.apply(all))).orElse(this);
    }

    /** With other names for its requests: as many as it has operations, but for follow-ups. */
    Scenario named(List<String> names) {
        List<Operation> named = new ArrayList<>(operations);
        for (int i = 0; i < names.size(); i++) {
            named.set(i, operations.get(i).named(names.get(i)));
        }
        if (journeys.isEmpty()) {
            return new Scenario(named, Optional.empty(), weights);
        }
        Journey only = journeys.get().all().get(0);
        Journey other = Journey.named(only.name()).session(only.session());
        for (int i = 0; i < only.steps().size(); i++) {
            Step.Request step = (Step.Request) only.steps().get(i);
            other = other.step(new Step.Request(named.get(i), step.extractions(), step.onFailure()));
        }
        return of(Journeys.of(other));
    }

    /**
     * The requests of one iteration, if all users send the same: by weight, as evenly mixed as can be.
     *
     * @return indices of operations
     */
    public int[] order() {
        return weights.isEmpty()
                ? IntStream.range(0, operations.size()).toArray()
                : Turns.of(weights.stream().mapToInt(Integer::intValue).toArray());
    }

    /** {@return true if the header of a response is read by a check, an extraction or a session} */
    public boolean keepsHeads() {
        return journeys.filter(Journeys::keepHeads).isPresent()
                || operations.stream()
                        .flatMap(operation -> operation.checks().stream())
                        .anyMatch(Check::ofHead);
    }

    /** {@return the reading of responses that are streams of events: none in most plans} */
    public List<EventStream> streams() {
        return operations.stream()
                .flatMap(operation -> operation.events().stream())
                .toList();
    }

    /** {@return names of what is timed as a whole beside requests: journeys and their groups} */
    public List<String> timed() {
        return journeys.map(Journeys::timed).orElse(List.of());
    }

    /**
     * The subjects of figures, by their names in results.
     *
     * @return the operations, then what is timed as a whole
     */
    public List<String> namesInResult() {
        List<String> names = new ArrayList<>(Operation.namesInResult(operations));
        names.addAll(timed());
        return names;
    }

    /** {@return the request to a server without further settings: {@code GET /}} */
    public static Scenario getOnly() {
        return new Scenario(List.of(Operation.get("/")));
    }

    /** {@return the requests to a target of Phaseload's own: {@code GET /}, then {@code POST /}} */
    public static Scenario getThenPost() {
        return new Scenario(List.of(Operation.get("/"), Operation.post("/", DEFAULT_BODY)));
    }
}
