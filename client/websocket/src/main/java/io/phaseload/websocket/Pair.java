package io.phaseload.websocket;

import io.netty.buffer.ByteBuf;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.MessageLost;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BiFunction;

/** A sender and its receivers, which may be the sender itself. Owned by one loop. */
final class Pair {

    /** How often a connection that can't be made is tried. */
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /** What a loop's pairs share. */
    interface Loop extends Ledger.Listener {

        void connected(SetUp setUp, long handshakeNanos);

        /** All connections of a pair are open, or one of them can't be opened. */
        void settled(Pair pair);

        /** A message ended without having been sent. */
        void unsent(long dueNanos, Outcome outcome);

        /** Whether messages are dropped that can't be sent at once. */
        boolean drops();
    }

    private final long number;
    private final Messages messages;
    private final Loop loop;
    private final Ledger ledger;
    private final long startNanos;
    private final long limitNanos;
    private final Peer sender;
    private final List<Peer> peers = new ArrayList<>();
    // When they are due.
    private final Queue<Long> waiting = new ArrayDeque<>();
    private boolean connecting;
    private long retryNanos;
    private Outcome failure = new MessageLost("not connected", false);

    Pair(
            long number,
            int subscribers,
            Messages messages,
            long limitNanos,
            Loop loop,
            BiFunction<Integer, Peer.Listener, Peer> newPeer) {
        this.number = number;
        this.messages = messages;
        this.loop = loop;
        this.limitNanos = limitNanos;
        this.startNanos = System.nanoTime();
        this.retryNanos = startNanos;
        this.ledger = new Ledger(Math.max(1, subscribers), limitNanos, loop);
        this.sender = newPeer.apply(0, new End(subscribers == 0 ? 0 : -1, true));
        peers.add(sender);
        for (int receiver = 0; receiver < subscribers; receiver++) {
            peers.add(newPeer.apply(1 + receiver, new End(receiver, false)));
        }
    }

    /** Opens the connections that are closed; {@link Loop#settled} is called later. */
    void connect() {
        connecting = true;
        retryNanos = System.nanoTime() + RETRY_NANOS;
        for (Peer peer : List.copyOf(peers)) {
            if (peer.isClosed()) {
                peer.open();
            }
        }
    }

    /** Sends a message that is due, now or as soon as it can be. */
    void send(long dueNanos, long now) {
        if (!connecting && !isOpen()) {
            if (now - retryNanos < 0) {
                loop.unsent(dueNanos, failure);
                return;
            }
            connect();
        }
        boolean ready = !connecting && sender.isWritable();
        if (ready && waiting.isEmpty()) {
            sendNow(dueNanos, now);
        } else if (loop.drops() && !connecting) {
            loop.unsent(dueNanos, new MessageLost("backpressure", false));
        } else {
            waiting.add(dueNanos);
        }
    }

    private void sendNow(long dueNanos, long now) {
        long sequence = ledger.sent(dueNanos, now);
        sender.send(sender.write(messages, new Messages.Head(number, sequence, dueNanos)));
    }

    private void sendWaiting() {
        while (!waiting.isEmpty() && isOpen() && sender.isWritable()) {
            sendNow(waiting.poll(), System.nanoTime());
        }
    }

    private boolean isOpen() {
        // Asked for each message.
        for (int i = 0; i < peers.size(); i++) {
            if (!peers.get(i).isOpen()) {
                return false;
            }
        }
        return true;
    }

    /** Gives up what has taken too long. */
    void expire(long now) {
        ledger.expire(now);
        while (!waiting.isEmpty() && now - waiting.peek() - limitNanos >= 0) {
            String why = isOpen() ? "backpressure" : "not connected in time";
            loop.unsent(waiting.poll(), new MessageLost(why, true));
        }
    }

    void ping() {
        List.copyOf(peers).forEach(Peer::ping);
    }

    /**
     * Forgets what has not been sent.
     *
     * @return how many messages
     */
    int forgetWaiting() {
        int count = waiting.size();
        waiting.clear();
        return count;
    }

    /** Ends what is on its way. */
    void abandon(long now) {
        ledger.abandon(Outcome.ClientFault.stopped(), now);
    }

    void close() {
        peers.forEach(Peer::close);
    }

    private void settle() {
        if (connecting && peers.stream().allMatch(peer -> peer.isOpen() || peer.isClosed())) {
            connecting = false;
            if (isOpen()) {
                sendWaiting();
            } else {
                while (!waiting.isEmpty()) {
                    loop.unsent(waiting.poll(), failure);
                }
            }
            loop.settled(this);
        }
    }

    /** One of its connections, as this pair sees it. */
    private final class End implements Peer.Listener {

        private final int receiver;
        private final boolean sends;

        /**
         * An end.
         *
         * @param receiver its index as a receiver; negative if it is none
         */
        End(int receiver, boolean sends) {
            this.receiver = receiver;
            this.sends = sends;
        }

        @Override
        public void opened(SetUp setUp, long handshakeNanos) {
            loop.connected(setUp, handshakeNanos);
            settle();
        }

        @Override
        public void failed(Outcome outcome) {
            failure = outcome;
            settle();
        }

        @Override
        public void closed(String why) {
            failure = new MessageLost((sends ? "sender " : "receiver ") + why, false);
            if (sends) {
                ledger.senderGone(why);
            }
            if (receiver >= 0) {
                ledger.receiverGone(receiver, why, System.nanoTime());
            }
            settle();
            // What waits goes out over a new connection.
            if (!waiting.isEmpty() && !connecting) {
                connect();
            }
        }

        @Override
        public void received(ByteBuf message) {
            Messages.Head head = receiver < 0 ? null : messages.read(message);
            // Others in the room may send, too, and a server may deliver what an earlier phase
            // sent.
            if (head != null && head.pair() == number && head.intendedNanos() - startNanos >= 0) {
                ledger.received(receiver, head.sequence(), head.intendedNanos(), System.nanoTime());
            }
        }

        @Override
        public void writable() {
            if (sends) {
                sendWaiting();
            }
        }
    }
}
