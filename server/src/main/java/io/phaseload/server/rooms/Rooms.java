package io.phaseload.server.rooms;

import io.phaseload.host.Daemons;
import jakarta.servlet.ServletContext;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/** The rooms of one target, and who is in them. Safe for use by several threads. */
public final class Rooms implements AutoCloseable {

    private static final String PATH = "/rooms/{id}";

    private final Map<String, List<RoomMember>> members = new ConcurrentHashMap<>();
    private final RoomCounters counters = new RoomCounters();
    private final int maxMessage;
    private final LongPredicate sleep;
    private final Relay relay;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, Daemons.named("phaseload-rooms"));

    /**
     * Creates rooms without anybody in them.
     *
     * @param maxMessage the longest message, in bytes or, of text, in characters; a longer one closes its connection
     * @param sleep sleeps for a number of milliseconds, unless the server stops
     * @param relay to the same rooms of other nodes
     */
    public Rooms(int maxMessage, LongPredicate sleep, Relay relay) {
        this.maxMessage = maxMessage;
        this.sleep = sleep;
        this.relay = relay;
        relay.receive(this::receive);
    }

    /**
     * Opens the rooms at {@code /rooms/{id}} of an application.
     *
     * @param context of a container that offers WebSocket
     * @throws IllegalStateException if it doesn't
     */
    public void open(ServletContext context) {
        if (!(context.getAttribute(ServerContainer.class.getName()) instanceof ServerContainer container)) {
            throw new IllegalStateException("the container has no WebSocket");
        }
        try {
            container.addEndpoint(ServerEndpointConfig.Builder.create(RoomEndpoint.class, PATH)
                    .configurator(new Configurator())
                    .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(PATH + ": " + e.getMessage(), e);
        }
    }

    /**
     * The events so far.
     *
     * @return the counts of now
     */
    public MessageCounts counts() {
        return counters.now();
    }

    /**
     * How many servers share these rooms.
     *
     * @return 1 for one that is alone
     */
    public int nodes() {
        return 1 + relay.others();
    }

    /** Sends everybody away with 1001; messages that are kept for their delay are not delivered. */
    @Override
    public void close() {
        timer.shutdownNow().forEach(kept -> counters.undelivered.increment());
        CloseReason reason = new CloseReason(CloseCodes.GOING_AWAY, "the server stops");
        members.values().forEach(all -> all.forEach(member -> member.close(reason)));
    }

    RoomCounters counters() {
        return counters;
    }

    int maxMessage() {
        return maxMessage;
    }

    void sleep(Duration time) {
        if (!time.isZero()) {
            sleep.test(time.toMillis());
        }
    }

    void enter(String room, RoomMember member) {
        counters.opened.increment();
        members.compute(room, (id, others) -> {
            List<RoomMember> all = others == null ? new CopyOnWriteArrayList<>() : others;
            all.add(member);
            return all;
        });
    }

    void leave(String room, RoomMember member) {
        members.computeIfPresent(room, (id, all) -> {
            all.remove(member);
            return all.isEmpty() ? null : all;
        });
        member.leave();
        counters.closed.increment();
    }

    void deliver(String room, RoomMember sender, Payload message, RoomOptions options) {
        List<Receiver> receivers = receive(room, sender, options);
        send(receivers, message, options);
    }

    /** Delivers a message once more; it isn't received a second time. */
    void repeat(String room, RoomMember sender, Payload message, RoomOptions options) {
        List<Receiver> receivers = receivers(room, sender, options);
        counters.repeated.add(receivers.size());
        counters.due.add(receivers.size());
        send(receivers, message, options);
    }

    void lose(String room, RoomMember sender, RoomOptions options) {
        counters.lost.add(receive(room, sender, options).size());
    }

    private List<Receiver> receive(String room, RoomMember sender, RoomOptions options) {
        List<Receiver> receivers = receivers(room, sender, options);
        counters.received.increment();
        counters.due.add(receivers.size());
        if (receivers.isEmpty()) {
            counters.unheard.increment();
        }
        return receivers;
    }

    private List<Receiver> receivers(String room, RoomMember sender, RoomOptions options) {
        return switch (options.mode()) {
            case ECHO -> List.of(sender);
            case BROADCAST -> all(room, null);
            case RELAY -> all(room, sender);
        };
    }

    private List<Receiver> all(String room, RoomMember but) {
        List<Receiver> all = new ArrayList<>(members.getOrDefault(room, List.of()));
        all.remove(but);
        if (relay.others() > 0) {
            all.add(message -> pass(room, message));
        }
        return all;
    }

    private void pass(String room, Payload message) {
        boolean passed = relay.pass(new Passed(room, message).write());
        (passed ? counters.passed : counters.undelivered).increment();
    }

    /** Delivers what another node passed. */
    private void receive(byte[] message) {
        Passed passed;
        try {
            passed = Passed.read(message);
        } catch (IllegalArgumentException e) {
            // Not of a node like this one.
            return;
        }
        List<RoomMember> here = members.getOrDefault(passed.room(), List.of());
        counters.heard.increment();
        for (RoomMember member : here) {
            counters.due.increment();
            member.send(passed.message());
        }
    }

    private void send(List<Receiver> receivers, Payload message, RoomOptions options) {
        for (Receiver receiver : receivers) {
            if (options.delay().isZero()) {
                receiver.send(message);
                continue;
            }
            try {
                // Equal times keep their order.
                timer.schedule(() -> receiver.send(message), options.delay().toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException stopping) {
                counters.undelivered.increment();
            }
        }
    }

    private final class Configurator extends ServerEndpointConfig.Configurator {

        @Override
        public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(new RoomEndpoint(Rooms.this));
        }

        /** Any subprotocol will do: the first one that is asked for. */
        @Override
        public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
            return requested.isEmpty() ? "" : requested.get(0);
        }
    }
}
