package io.phaseload.websocket;

import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.run.Partners;
import io.phaseload.timing.MessageTimings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A sender and its receivers, which may be the sender itself. Owned by one loop. */
final class Pair {

    /** How often a connection that can't be made is tried. */
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /** The shared state of a loop's pairs. */
    interface Loop extends MessageRecords.Listener {

        void connected(SetUp setUp, long handshakeNanos);

        /** All connections of a pair are open, or one of them can't be opened. */
        void settled(Pair pair);

        /** A message ended without having been sent. */
        void unsent(long pair, long dueNanos, Outcome outcome);

        /** Whether messages are dropped that can't be sent at once. */
        boolean drops();
    }

    /** Makes its connections, which aren't open; a receiver by its place, from 1. */
    interface Ends {

        Peer sender(Peer.Listener listener);

        Connection receiver(int place, ConnectionEnd listener);
    }

    private final long number;
    private final Loop loop;
    private final MessageRecords messageRecords;
    private final long startNanos;
    private final long limitNanos;
    private final Peer sender;
    private final List<Connection> ends = new ArrayList<>();
    // When they are due.
    private final Queue<Long> waiting = new ArrayDeque<>();
    private boolean connecting;
    private long retryNanos;
    private Outcome failure = new MessageLost("not connected", false);

    Pair(long number, int subscribers, long limitNanos, Loop loop, Ends made) {
        this.number = number;
        this.loop = loop;
        this.limitNanos = limitNanos;
        this.startNanos = System.nanoTime();
        this.retryNanos = startNanos;
        this.messageRecords = new MessageRecords(number, Math.max(1, subscribers), limitNanos, loop);
        this.sender = made.sender(new ConnectionEnd(subscribers == 0 ? 0 : -1, true));
        ends.add(sender);
        for (int receiver = 0; receiver < subscribers; receiver++) {
            ends.add(made.receiver(1 + receiver, new ConnectionEnd(receiver, false)));
        }
    }

    long number() {
        return number;
    }

    /** Opens the connections that are closed; {@link Loop#settled} is called later. */
    void connect() {
        connecting = true;
        retryNanos = System.nanoTime() + RETRY_NANOS;
        for (Connection end : List.copyOf(ends)) {
            if (end.isClosed()) {
                end.open();
            }
        }
    }

    /** Sends a message that is due, now or as soon as it can be. */
    void send(long dueNanos, long now) {
        if (!connecting && !isOpen()) {
            if (now - retryNanos < 0) {
                loop.unsent(number, dueNanos, failure);
                return;
            }
            connect();
        }
        boolean ready = !connecting && sender.isWritable();
        if (ready && waiting.isEmpty()) {
            sendNow(dueNanos, now);
        } else if (loop.drops() && !connecting) {
            loop.unsent(number, dueNanos, new MessageLost("backpressure", false));
        } else {
            waiting.add(dueNanos);
        }
    }

    private void sendNow(long dueNanos, long now) {
        long sequence = messageRecords.sent(dueNanos, now);
        sender.send(new Messages.Head(number, sequence, dueNanos));
    }

    private void sendWaiting() {
        while (!waiting.isEmpty() && isOpen() && sender.isWritable()) {
            sendNow(waiting.poll(), System.nanoTime());
        }
    }

    private boolean isOpen() {
        // Asked for each message.
        for (int i = 0; i < ends.size(); i++) {
            if (!ends.get(i).isOpen()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Gives up what has taken too long.
     *
     * @param receivedUntil up to when it is known what receivers got
     */
    void expire(long now, long receivedUntil) {
        messageRecords.expire(receivedUntil);
        while (!waiting.isEmpty() && now - waiting.peek() - limitNanos >= 0) {
            String why = isOpen() ? "backpressure" : "not connected in time";
            loop.unsent(number, waiting.poll(), new MessageLost(why, true));
        }
    }

    void ping() {
        List.copyOf(ends).forEach(Connection::ping);
    }

    /** Forgets what has not been sent. */
    int forgetWaiting() {
        int count = waiting.size();
        waiting.clear();
        return count;
    }

    /** Ends what is on its way. */
    void abandon(long now) {
        messageRecords.abandon(Outcome.ClientFault.stopped(), now);
    }

    void close() {
        ends.forEach(Connection::close);
    }

    private void settle() {
        if (connecting && ends.stream().allMatch(end -> end.isOpen() || end.isClosed())) {
            connecting = false;
            if (isOpen()) {
                sendWaiting();
            } else {
                while (!waiting.isEmpty()) {
                    loop.unsent(number, waiting.poll(), failure);
                }
            }
            loop.settled(this);
        }
    }

    /** One of its connections, as this pair sees it. */
    final class ConnectionEnd implements Peer.Listener, RemoteReceiver.Listener {

        private final int receiver;
        private final boolean sends;

        /**
         * An end.
         *
         * @param receiver its index as a receiver; negative if it is none
         */
        ConnectionEnd(int receiver, boolean sends) {
            this.receiver = receiver;
            this.sends = sends;
        }

        @Override
        public void opened(SetUp setUp, long handshakeNanos) {
            loop.connected(setUp, handshakeNanos);
            settle();
        }

        @Override
        public void openedThere() {
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
                messageRecords.doubt("sender " + why);
            }
            if (receiver >= 0) {
                messageRecords.receiverGone(receiver, why, System.nanoTime());
            }
            settle();
            // What waits goes out over a new connection.
            if (!waiting.isEmpty() && !connecting) {
                connect();
            }
        }

        @Override
        public void refused(String why) {
            messageRecords.doubt(why);
        }

        @Override
        public void ignored() {
            loop.received(MessageTimings.IGNORED, 0);
        }

        @Override
        public void received(Messages.Head head) {
            // Others in the room may send, too.
            if (receiver >= 0 && head.pair() == number) {
                received(
                        new PeerNote.Receipt(head.sequence(), head.intendedNanos()),
                        new Partners.PartnerTime(System.nanoTime(), 0));
            }
        }

        @Override
        public void receivedThere(PeerNote.Receipt message, Partners.PartnerTime at) {
            received(message, at);
        }

        private void received(PeerNote.Receipt message, Partners.PartnerTime at) {
            // A server may deliver what an earlier phase sent.
            if (message.dueNanos() - startNanos >= 0) {
                messageRecords.received(receiver, message.sequence(), message.dueNanos(), at);
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
