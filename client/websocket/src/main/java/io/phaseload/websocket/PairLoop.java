package io.phaseload.websocket;

import io.phaseload.engine.PhaseRun;
import io.phaseload.events.LoopGroup;
import io.phaseload.events.LoopRecords;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.plan.Load;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.Timing;
import io.phaseload.user.Arrivals;
import io.phaseload.user.Arrivals.Arrival;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** One event loop's pairs in one phase, and their records. Used by the loop's thread alone. */
final class PairLoop implements Pair.Loop, KeptRequest.Sender, LoopGroup.Member {

    /** More at once would overflow the queue of a server that accepts connections. */
    private static final int MOST_CONNECTING = 64;

    /** Then what has arrived is read. */
    private static final int MOST_SENT_AT_ONCE = 256;

    /** In the place of a sequence: the message wasn't sent. */
    private static final long NONE = -1;

    private static final long SWEEP_NANOS = Duration.ofMillis(50).toNanos();

    private final PhaseRun phase;
    private final LoopContext context;
    private final int part;
    private final int parts;
    private final Runnable ended;
    private final LoopRecords records;
    private final boolean drops;
    private final Optional<RemoteEndpoints> remote;
    private final Handshakes handshakes;
    private final Messages messages;
    private final List<Pair> pairs = new ArrayList<>();
    private final Queue<Pair> toConnect = new ArrayDeque<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    // Scheduled for each message.
    private final Runnable sending = () -> guard(this::sendDue);
    private int unsettled;
    private Arrivals.Share arrivals;
    private Arrival next = Arrival.NONE;
    private int turn;
    // What all receivers of a message receive together.
    private long bytesEach;
    // The message that is recorded.
    private long recordedPair;
    private long recordedSequence;
    // Messages that have not ended.
    private long open;
    private boolean noneLeft;
    private boolean over;
    private boolean closed;

    /**
     * Creates a loop's pairs, which aren't connected.
     *
     * @param part the loop's index; pairs are assigned in turn to loops of less than {@code parts}
     * @param peerChannel to other clients, if receivers are there
     * @param ended called once, when nothing is left to send or to receive
     */
    PairLoop(
            PhaseRun phase,
            LoopContext context,
            int part,
            int parts,
            Handshakes handshakes,
            Optional<PeerChannel> peerChannel,
            Runnable ended) {
        this.phase = phase;
        this.context = context;
        this.part = part;
        this.parts = parts;
        this.ended = ended;
        // A message isn't bound to one connection.
        this.records = new LoopRecords(phase, context, parts, 0, Optional.empty());
        this.drops = phase.settings().phase().load() instanceof Load.Open load && load.overload() == Load.Overload.DROP;
        this.handshakes = handshakes;
        this.messages = handshakes.newMessages();
        this.remote = peerChannel.map(to -> new RemoteEndpoints(context, handshakes, to, to.placement(), this));
    }

    /** The numbers of its pairs. */
    List<Long> numbers() {
        return IntStream.iterate(part, user -> user < phase.settings().users(), user -> user + parts)
                .mapToObj(user -> (long) phase.settings().plan().part().user(user))
                .toList();
    }

    /** Connects all pairs, as many at once as a server can accept. */
    CompletableFuture<Void> connect(Protocol.WebSocket protocol) {
        bytesEach = (long) protocol.messageSize() * Math.max(1, protocol.subscribers());
        context.connectQueue().setPace(phase.connectPace(), Long.MAX_VALUE / 2 + System.nanoTime());
        for (long number : numbers()) {
            pairs.add(
                    new Pair(number, protocol.subscribers(), context.responseLimitNanos(), this, new PairEnds(number)));
        }
        toConnect.addAll(pairs);
        unsettled = pairs.size();
        for (int i = 0; i < MOST_CONNECTING; i++) {
            connectNext();
        }
        endReady();
        protocol.ping().ifPresent(every -> ping(every.toNanos()));
        return ready;
    }

    /** The connections of a pair. */
    private final class PairEnds implements Pair.Ends {

        private final long number;

        PairEnds(long number) {
            this.number = number;
        }

        @Override
        public Peer sender(Peer.Listener listener) {
            return new Peer(context, handshakes, messages, number, 0, listener);
        }

        @Override
        public Connection receiver(int place, Pair.ConnectionEnd listener) {
            return remote.isPresent()
                    ? remote.get().receiver(number, place, listener)
                    : new Peer(context, handshakes, messages, number, place, listener);
        }
    }

    /** Has the loop's thread do something about ends that are elsewhere. */
    void run(Consumer<RemoteEndpoints> task) {
        context.execute(() -> guard(() -> remote.ifPresent(task)));
    }

    private void connectNext() {
        Pair pair = toConnect.poll();
        if (pair != null) {
            pair.connect();
        }
    }

    private void endReady() {
        if (unsettled == 0) {
            ready.complete(null);
        }
    }

    /** Pings all pairs within the time, evenly spread over it. */
    private void ping(long everyNanos) {
        for (int i = 0; i < pairs.size(); i++) {
            pingAfter(pairs.get(i)::ping, everyNanos / pairs.size() * (i + 1), everyNanos);
        }
        remote.ifPresent(ends -> pingAfter(ends::ping, everyNanos, everyNanos));
    }

    private void pingAfter(Runnable ping, long nanos, long everyNanos) {
        context.schedule(
                () -> {
                    if (!closed) {
                        guard(ping);
                        pingAfter(ping, everyNanos, everyNanos);
                    }
                },
                nanos);
    }

    /** Sends what is due; the phase has started. */
    void start() {
        records.lag().start();
        guard(() -> {
            // Those without pairs have only hosted receivers.
            if (pairs.isEmpty()) {
                noneLeft = true;
            } else {
                arrivals = phase.arrivals()
                        .orElseThrow()
                        .share(part, parts, phase.settings().users());
                claim(System.nanoTime());
                sendDue();
            }
            sweep();
        });
    }

    private void claim(long now) {
        next = arrivals.claim(now - phase.startNanos());
        noneLeft |= next == Arrival.NONE;
    }

    private void sendDue() {
        int sent = 0;
        while (!noneLeft && !phase.control().stopped()) {
            long now = System.nanoTime();
            long due = phase.startNanos() + next.offsetNanos();
            if (due - now > 0 || ++sent > MOST_SENT_AT_ONCE) {
                context.schedule(sending, Math.max(0, due - now));
                return;
            }
            open++;
            pairs.get(turn++ % pairs.size()).send(due, now);
            claim(now);
        }
    }

    private void sweep() {
        if (over) {
            return;
        }
        long now = System.nanoTime();
        pairs.forEach(pair -> pair.expire(
                now, remote.map(ends -> ends.reportedUntil(pair.number(), now)).orElse(now)));
        boolean lasted = phase.control().stopped()
                || now - phase.startNanos() - phase.settings().leastNanos() >= 0;
        if (noneLeft && open == 0 && lasted) {
            end();
        } else {
            context.schedule(() -> guard(this::sweep), SWEEP_NANOS);
        }
    }

    private void end() {
        if (!over) {
            over = true;
            ended.run();
        }
    }

    /** Sends no more; what is on its way may arrive within the limit. */
    void stop(Duration limit) {
        ready.complete(null);
        noneLeft = true;
        context.connectQueue().stop();
        context.abandonAfter(limit.toNanos());
        pairs.forEach(pair -> open -= pair.forgetWaiting());
        context.schedule(() -> guard(() -> pairs.forEach(pair -> pair.abandon(System.nanoTime()))), limit.toNanos());
    }

    @Override
    public void connected(SetUp setUp, long handshakeNanos) {
        phase.control().target().reach();
        records.tally(0).add(setUp);
        records.tally(0).add(MessageTimings.HANDSHAKE, handshakeNanos);
    }

    @Override
    public void settled(Pair pair) {
        if (unsettled > 0) {
            unsettled--;
            connectNext();
            endReady();
        }
    }

    @Override
    public boolean drops() {
        return drops;
    }

    @Override
    public void received(Timing timing, long nanos) {
        records.tally(0).add(timing, nanos);
    }

    @Override
    public void ended(long pair, long sequence, long dueNanos, long sentNanos, long endNanos, Outcome outcome) {
        long received = outcome == Outcome.SUCCESS ? bytesEach : 0;
        record(
                pair,
                sequence,
                dueNanos,
                new Exchange(
                        sentNanos,
                        Exchange.NO_BYTE,
                        endNanos,
                        outcome,
                        0,
                        received,
                        null,
                        false,
                        0,
                        null,
                        Exchange.NO_LEASE));
    }

    @Override
    public void unsent(long pair, long dueNanos, Outcome outcome) {
        long now = System.nanoTime();
        record(pair, NONE, dueNanos, Exchange.notConnected(now, now, outcome, false));
    }

    private void record(long pair, long sequence, long dueNanos, Exchange exchange) {
        open--;
        phase.control().target().reachedBy(exchange);
        recordedPair = pair;
        recordedSequence = sequence;
        records.add((int) pair, phase.sample(0, dueNanos, exchange), this);
    }

    /** Of the message that was recorded last. */
    @Override
    public KeptRequest kept(Sample sample) {
        String message = recordedSequence == NONE ? "message" : "message " + recordedSequence;
        return KeptRequest.of(
                sample,
                phase.timeOf(sample.intendedNanos()),
                message + " of pair " + recordedPair,
                sample.exchange().outcome().detail(),
                recordedPair,
                Optional.empty());
    }

    @Override
    public LoopRecords records() {
        return records;
    }

    LoopContext context() {
        return context;
    }

    /** Runs a step; an exception ends the run, which keeps its counts. */
    private void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            phase.control().fail(e);
            end();
        }
    }

    void close() {
        over = true;
        closed = true;
        records.lag().stop();
        pairs.forEach(Pair::close);
        context.close();
    }
}
