package io.phaseload.websocket;

import io.phaseload.http.response.KeptBody;
import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.SocketSteps;
import io.phaseload.journey.JourneyData;
import io.phaseload.journey.Session;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.PairProtocol;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Expectation;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.plan.journey.Template;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/** The protocol of a run's pairs, ready to be spoken by their connections. Thread-safe. */
final class PairSpeech {

    /** More reasons for refusals would be one cause each. */
    private static final int MOST_REASONS = 20;

    private static final int LONGEST_REASON = 80;

    private static final byte[] NO_HEAD = {};

    /**
     * An act of a connection.
     *
     * @param numbered true if it has a number of its own
     * @param call makes it with the values of a session; {@code null} for a pause
     * @param pause before the next one
     */
    record Act(boolean numbered, Function<Session, SocketCall> call, Pause pause) {}

    /** A message that is answered. */
    record Reply(Act to, Act with) {}

    /** A message that is sent by a timer. */
    record Beat(long periodNanos, Act send) {}

    private final PairProtocol protocol;
    private final JourneyData data;
    private final Duration limit;
    private final long seed;
    private final List<Act> sender;
    private final List<Act> receiver;
    private final List<Reply> replies;
    private final List<Beat> beats;
    private final Act message;
    private final boolean messagesDiffer;
    private final byte[] before;
    private final Optional<ValueFinder> payloads;
    private final Optional<ValueFinder> refusals;
    // Guarded by itself.
    private final Set<String> reasons = new HashSet<>();

    /**
     * The protocol of a plan.
     *
     * @param plan has pairs
     * @param echoed true if senders get their own messages
     */
    PairSpeech(Plan plan, boolean echoed, Map<String, String> environment) {
        this.protocol = plan.scenario().pairs().orElse(PairProtocol.RAW);
        this.data = JourneyData.ofPairs(plan, environment);
        this.limit = plan.target().responseTimeout();
        this.seed = plan.seed();
        this.receiver = acts(Stream.of(protocol.open(), protocol.receiver()));
        this.sender = acts(Stream.of(protocol.open(), echoed ? protocol.receiver() : List.of(), protocol.sender()));
        this.replies = protocol.answers().stream()
                .map(answer -> new Reply(
                        act(Step.expect(new Expectation(answer.to(), Optional.empty()))), send(answer.with())))
                .toList();
        this.beats = protocol.every().stream()
                .map(timer -> new Beat(timer.period().toNanos(), send(timer.send())))
                .toList();
        this.message = send(protocol.message());
        this.messagesDiffer = message.numbered()
                || protocol.message().templates().stream()
                        .anyMatch(template -> template.changing().isPresent());
        this.before = protocol.payload().after().getBytes(StandardCharsets.UTF_8);
        this.payloads = protocol.payload().from().map(PairSpeech::finder);
        this.refusals = protocol.refused().map(PairSpeech::finder);
    }

    private static ValueFinder finder(String from) {
        return new ValueFinder(Extraction.of("found", from));
    }

    private List<Act> acts(Stream<List<Step>> steps) {
        return steps.flatMap(List::stream).map(this::act).toList();
    }

    private Act act(Step step) {
        if (step instanceof Step.Think think) {
            return new Act(false, null, think.pause());
        }
        Step.Socket socket = (Step.Socket) step;
        boolean numbered = !(socket.action() instanceof SocketAction.Expect)
                && socket.templates().stream().map(Template::names).anyMatch(of -> of.contains(PairProtocol.REF));
        return new Act(numbered, SocketSteps.onOpen(socket, data.slots(), limit), Pause.NONE);
    }

    private Act send(SocketAction action) {
        return act(Step.socket(action));
    }

    /** Values of a connection. */
    Session session(long pair, int place) {
        Session session = new Session(data, (int) pair, new SplittableRandom(seed + pair * 65 + place));
        session.set(PairProtocol.PAIR, Long.toString(pair));
        session.set(PairProtocol.PLACE, Integer.toString(place));
        return session;
    }

    /** The acts of a connection before it is ready. */
    List<Act> opening(int place) {
        return place == 0 ? sender : receiver;
    }

    List<Reply> replies() {
        return replies;
    }

    List<Beat> beats() {
        return beats;
    }

    Act message() {
        return message;
    }

    /** Whether a message is more than its payload between two texts that are the same each time. */
    boolean messagesDiffer() {
        return messagesDiffer;
    }

    /** Whether a message is its payload. */
    boolean isBare() {
        return protocol.message().equals(PairProtocol.RAW.message());
    }

    /** Whether a message goes as text. */
    boolean isText() {
        return !(protocol.message() instanceof SocketAction.SendBytes);
    }

    /** Whether messages are read for more than payloads. */
    boolean listens() {
        return !replies.isEmpty() || refusals.isPresent();
    }

    /** A reader of messages for one loop. */
    Messages newMessages(int size) {
        return new Messages(size, before, payloads);
    }

    /** Why a message refuses something, as one of few texts; {@code null} if it doesn't. */
    String refusal(byte[] received, List<String> secrets) {
        String found = refusals.map(finder -> finder.first(NO_HEAD, received)).orElse(null);
        if (found == null) {
            return null;
        }
        String text = KeptBody.quoted(found.getBytes(StandardCharsets.UTF_8), secrets);
        String reason = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
        synchronized (reasons) {
            boolean known = reasons.contains(reason) || reasons.size() < MOST_REASONS && reasons.add(reason);
            return "refused: " + (known ? reason : "another reason");
        }
    }
}
