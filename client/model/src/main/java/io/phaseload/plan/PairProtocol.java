package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import io.phaseload.plan.journey.Expectation;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.plan.journey.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The protocol that pairs speak over their WebSockets. Its templates take {@code {pair}}, {@code {place}} (0 of the
 * sender, then of each receiver), {@code {ref}} (the number of messages with it that the connection has sent),
 * variables and extracted values.
 *
 * @param open the steps of each connection: messages to send, messages to wait for, and pauses
 * @param sender the steps of a sender after these
 * @param receiver the steps of a receiver after these
 * @param message sends a message; {@code {message}} in it is the payload
 * @param payload the place of payloads in what a receiver gets
 * @param answers messages that are answered at any time
 * @param every messages that are sent by a timer
 * @param refused the place of the reason in a message with which the server refuses something, as
 *     {@link Extraction#from()}
 * @param variables values that templates take by name; <code>${env:NAME}</code> in one is the environment's
 * @param ofEnvironment the variables that the environment has or had a part in, which are secret
 */
public record PairProtocol(
        List<Step> open,
        List<Step> sender,
        List<Step> receiver,
        SocketAction message,
        Payload payload,
        List<SocketAction.Answer> answers,
        List<Timer> every,
        Optional<String> refused,
        Map<String, String> variables,
        Set<String> ofEnvironment) {

    /** The name of the payload in a template. */
    public static final String MESSAGE = "message";

    /** The name of the pair's number in a template. */
    public static final String PAIR = "pair";

    /** The name of a connection's place in its pair. */
    public static final String PLACE = "place";

    /** The name of the number of a message with it. */
    public static final String REF = "ref";

    private static final List<String> OWN = List.of(PAIR, PLACE, REF, MESSAGE);

    /** A message is its payload, which the server relays by the path. */
    public static final PairProtocol RAW = new PairProtocol(
            List.of(),
            List.of(),
            List.of(),
            new SocketAction.SendText("{message}"),
            Payload.ANYWHERE,
            List.of(),
            List.of(),
            Optional.empty(),
            Map.of(),
            Set.of());

    /**
     * The place of payloads in a message. All of them are found.
     *
     * @param after the text just before each; empty if they may be anywhere
     * @param from texts that are payloads, as {@link Extraction#from()}; empty to search for {@code after}
     */
    public record Payload(String after, Optional<String> from) {

        /** Payloads are recognised by their form alone. */
        public static final Payload ANYWHERE = new Payload("", Optional.empty());

        /**
         * Checks the place.
         *
         * @throws IllegalArgumentException if it isn't one
         */
        public Payload {
            from.ifPresent(PairProtocol::checkPlace);
        }
    }

    /**
     * A message that an open connection sends again and again.
     *
     * @param period the time between two of them
     * @param send sends it
     */
    public record Timer(Duration period, SocketAction send) {

        /**
         * Checks the time.
         *
         * @throws IllegalArgumentException if it isn't more than 0
         */
        public Timer {
            Args.positive("period", period);
        }
    }

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public PairProtocol {
        open = List.copyOf(open);
        sender = List.copyOf(sender);
        receiver = List.copyOf(receiver);
        answers = List.copyOf(answers);
        every = List.copyOf(every);
        variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        ofEnvironment = Set.copyOf(ofEnvironment);
        refused.ifPresent(PairProtocol::checkPlace);
        OWN.stream().filter(variables::containsKey).findFirst().ifPresent(name -> {
            throw new ValueException("variable " + name, "another name than a pair's own");
        });
        Stream.of(open, sender, receiver).flatMap(List::stream).forEach(PairProtocol::check);
        boolean bytes = message instanceof SocketAction.SendBytes;
        Template.Encoding kept = bytes ? Template.Encoding.HEX : Template.Encoding.JSON;
        if (message.templates().stream()
                        .mapToLong(template -> payloads(template, kept, bytes))
                        .sum()
                != 1) {
            throw new ValueException("message", "%s in it, once".formatted(bytes ? "{hex:{message}}" : "{message}"));
        }
    }

    private static void checkPlace(String from) {
        Extraction of = Extraction.of(MESSAGE, from);
        if (of.ofHead()) {
            throw new ValueException(from, "a part of a message");
        }
    }

    private static void check(Step step) {
        if (step instanceof Step.Socket socket
                && !(socket.onFailure().equals(Step.OnFailure.END)
                        && socket.operation().metrics().isEmpty())) {
            throw new IllegalArgumentException("step %s: onFailure and metrics cannot be combined with pairs"
                    .formatted(socket.operation().name()));
        }
        boolean known = step instanceof Step.Think
                || step instanceof Step.Socket socket
                        && !(socket.action() instanceof SocketAction.Connect
                                || socket.action() instanceof SocketAction.Ping
                                || socket.action() instanceof SocketAction.Close);
        if (!known) {
            throw new ValueException("steps of send, expect and think");
        }
        if (step instanceof Step.Socket socket
                && socket.templates().stream().anyMatch(of -> of.names().contains(MESSAGE))) {
            throw new ValueException(
                    "step %s: {message}".formatted(socket.operation().name()), "it in message alone");
        }
    }

    /** Payloads that go as they are: between JSON's quotes, too, and of bytes as hexadecimal digits. */
    private static long payloads(Template template, Template.Encoding kept, boolean encoded) {
        long count = 0;
        for (Template.Part part : template.parts()) {
            if (part instanceof Template.Value value && value.name().equals(MESSAGE) && !encoded) {
                count++;
            } else if (part instanceof Template.Encoded of && of.encoding() == kept) {
                count += payloads(of.of(), kept, false);
            }
        }
        return count;
    }

    /**
     * The templates of a sender and of a receiver, as journeys whose variables are all names.
     *
     * @return two journeys
     * @throws IllegalArgumentException naming a step that takes a value which nothing has
     */
    public Journeys journeys() {
        Map<String, String> names = new LinkedHashMap<>(variables);
        OWN.forEach(name -> names.put(name, ""));
        List<Step> others = new ArrayList<>();
        for (SocketAction.Answer answer : answers) {
            others.add(Step.expect(new Expectation(answer.to(), Optional.empty())));
            others.add(Step.socket(answer.with()));
        }
        every.forEach(timer -> others.add(Step.socket(timer.send())));
        Step sent = Step.socket(message);
        // A sender that gets its messages back does the steps of a receiver first.
        Step received = Step.expect(Expectation.ANYTHING);
        List<Journey> all = List.of(
                journey("sender", Stream.of(open, receiver, sender, List.of(sent), others)),
                journey("receiver", Stream.of(open, receiver, List.of(received), others)));
        all.forEach(journey -> new JourneyNames("", journey, names.keySet(), List.of()).check());
        return new Journeys(all, names, List.of(), ofEnvironment);
    }

    private static Journey journey(String name, Stream<List<Step>> steps) {
        return new Journey(name, 1, steps.flatMap(List::stream).toList());
    }

    /**
     * This protocol with other values of variables.
     *
     * @param values by the names of its own; others are ignored
     * @return a copy
     */
    PairProtocol withVariables(Map<String, String> values) {
        Map<String, String> own = new LinkedHashMap<>(values);
        own.keySet().retainAll(variables.keySet());
        return new PairProtocol(open, sender, receiver, message, payload, answers, every, refused, own, ofEnvironment);
    }

    /** {@return true if messages have the number of their pair in it, so that pairs may share an address} */
    public boolean namesPairs() {
        return Stream.of(open, sender, receiver)
                        .flatMap(List::stream)
                        .flatMap(step -> step instanceof Step.Socket socket ? socket.templates().stream() : Stream.of())
                        .anyMatch(of -> of.names().contains(PAIR))
                || message.templates().stream().anyMatch(of -> of.names().contains(PAIR));
    }
}
