package io.phaseload.cluster.agent;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.RunningOffset;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import io.phaseload.host.Daemons;
import io.phaseload.plan.share.Part;
import io.phaseload.run.Partners;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jgroups.Address;

/**
 * The agents of a run, as one of them sees them. Once somebody listens, it compares its clock with theirs again and
 * again, and gives up whoever doesn't answer, or doesn't come into the view, for half of the run's patience, but at
 * least a second: the cluster loses no agent that the coordinator still reaches. Thread-safe.
 */
final class AgentPartners implements Partners, AutoCloseable {

    /** Often enough that clocks can't part by more than 20 µs meanwhile. */
    private static final long BETWEEN_EXCHANGES_MILLIS = 200;

    /** Whoever answered none of fewer may just be busy. */
    private static final long FEWEST_QUESTIONS = 5;

    private final Message.RunOrder order;
    private final Consumer<Message> coordinator;
    private final AgentClock clock;
    private final Link link;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("cluster-partners"));
    private final List<Part> parts;
    private final int own;
    private final CompletableFuture<Void> known = new CompletableFuture<>();
    // Never changes; what it has is guarded by this, but for offsets.
    private final Map<Integer, Partner> partners = new HashMap<>();
    // Guarded by this.
    private final List<Runnable> early = new ArrayList<>();
    private Optional<Listener> listener = Optional.empty();

    /**
     * The agents of an order.
     *
     * @param own the name of this one
     * @param coordinator receives the others that this one gives up
     */
    AgentPartners(Message.RunOrder order, String own, Consumer<Message> coordinator, AgentClock clock, Link link) {
        this.order = order;
        this.coordinator = coordinator;
        this.clock = clock;
        this.link = link;
        this.parts =
                order.agents().stream().map(agent -> Part.parse(agent.part())).toList();
        long halfOfPatience = TimeUnit.NANOSECONDS.toMillis(order.patience() / 2);
        long most = Math.max(FEWEST_QUESTIONS, halfOfPatience / BETWEEN_EXCHANGES_MILLIS);
        List<String> names = order.agents().stream().map(Message.Dealt::name).toList();
        this.own = names.indexOf(own);
        for (int place = 0; place < names.size(); place++) {
            if (place != this.own) {
                partners.put(place, new Partner(order.agents().get(place).id(), most));
            }
        }
    }

    @Override
    public List<Part> parts() {
        return parts;
    }

    @Override
    public int own() {
        return own;
    }

    @Override
    public long now() {
        return clock.now();
    }

    @Override
    public PartnerTime here(int partner, long there) {
        // Without this one's lock: a listener may hold its own, which it takes when it is told.
        RunningOffset.Here here = partners.get(partner).here(there);
        return new PartnerTime(here.nanos(), here.error());
    }

    @Override
    public void send(int partner, byte[] message) {
        Optional<Address> to;
        synchronized (this) {
            to = partners.get(partner).send(message);
        }
        to.ifPresent(at -> send(at, message));
    }

    private void send(Address to, byte[] message) {
        link.send(to, new Message.PartnerBytes(order.run(), message));
    }

    @Override
    public synchronized void listen(Listener of) {
        listener = Optional.of(of);
        early.forEach(Runnable::run);
        early.clear();
        timer.scheduleWithFixedDelay(this::pingAll, 0, BETWEEN_EXCHANGES_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The other agent may still reach this one, and would wait for it. */
    private void giveUp(int place) {
        if (lose(place)) {
            coordinator.accept(
                    new Message.GaveUp(order.run(), order.agents().get(place).id()));
        }
    }

    /** Looks for those that have just come into the view. */
    private synchronized void find() {
        partners.values().stream().filter(Partner::isMissing).forEach(partner -> link.find(partner.id())
                .ifPresent(at -> found(partner, at)));
    }

    private void found(Partner partner, Address at) {
        partner.found(at).forEach(message -> send(at, message));
    }

    /** Counts its turns, not seconds: while this process was stopped, nobody was asked. */
    private void pingAll() {
        find();
        List<Address> there = new ArrayList<>();
        List<Integer> silent = new ArrayList<>();
        synchronized (this) {
            partners.forEach((place, partner) -> {
                if (!partner.isGone() && partner.isSilent()) {
                    silent.add(place);
                } else {
                    partner.address().ifPresent(there::add);
                }
            });
        }
        silent.forEach(this::giveUp);
        there.forEach(link::ping);
    }

    /** Completes when something is known of all clocks, or if nobody asks for them. */
    synchronized CompletableFuture<Void> known() {
        if (listener.isEmpty() || partners.values().stream().allMatch(Partner::isKnown)) {
            known.complete(null);
        }
        return known;
    }

    private Optional<Integer> place(Address of) {
        return place(Link.id(of));
    }

    private synchronized Optional<Integer> place(String id) {
        return partners.keySet().stream()
                .filter(place -> partners.get(place).id().equals(id))
                .findFirst();
    }

    /** A member answered about its clock, at a time of this machine's. */
    void received(Address from, Message.ClockPong pong, long at) {
        if (place(from).map(place -> answered(place, pong.exchange(at))).orElse(false)) {
            link.ping(from);
        }
    }

    /** Returns whether it is to be asked again at once. */
    private synchronized boolean answered(int place, ClockExchange exchange) {
        Partner partner = partners.get(place);
        if (partner.isGone()) {
            return false;
        }
        partner.answered(exchange).forEach(bytes -> notifyListener(of -> of.received(place, bytes)));
        known();
        return !partner.isKnown();
    }

    /** A member's engine said something. */
    synchronized void received(Address from, Message.PartnerBytes message) {
        place(from)
                .filter(place -> message.run().equals(order.run()))
                .filter(place -> !partners.get(place).isGone())
                .filter(place -> partners.get(place).isReceived(message.bytes()))
                .ifPresent(place -> notifyListener(of -> of.received(place, message.bytes())));
    }

    /** A member has ended. */
    void ended(Address member) {
        place(member).ifPresent(this::lose);
    }

    /** Another agent has given up this one. */
    synchronized void gaveUp(String id) {
        place(id).ifPresent(this::lose);
    }

    /** Returns whether it wasn't lost before. */
    private synchronized boolean lose(int place) {
        if (!partners.get(place).lose()) {
            return false;
        }
        notifyListener(of -> of.gone(place));
        known();
        return true;
    }

    private void notifyListener(Consumer<Listener> event) {
        if (listener.isPresent()) {
            event.accept(listener.get());
        } else {
            early.add(() -> event.accept(listener.orElseThrow()));
        }
    }

    /** Asks for no more clocks. */
    @Override
    public synchronized void close() {
        timer.shutdownNow();
    }
}
