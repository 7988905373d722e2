package io.phaseload.cluster.agent;

import io.phaseload.cluster.clock.ChronyReader;
import io.phaseload.cluster.clock.WallClock;
import io.phaseload.cluster.network.Greeting;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.network.NodeTransport;
import io.phaseload.cluster.wire.Message;
import io.phaseload.host.Daemons;
import io.phaseload.input.Printable;
import io.phaseload.result.Environment;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;

/**
 * Waits for a coordinator, runs its part of what that asks for, and waits again. {@link #run()} is called once;
 * {@link #close()} by any thread, any number of times.
 */
public final class ClusterAgent implements AutoCloseable {

    private static final long BETWEEN_MILLIS = 500;

    /** The last message of a coordinator that leaves may arrive after its departure is known. */
    private static final long LAST_MESSAGE_MILLIS = 2_000;

    /** The coordinator doesn't want an agent, so that trying again won't help. */
    private static final class RefusedException extends IOException {

        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    /** The state that the agent's thread waits for. */
    private sealed interface AgentEvent {

        /** The coordinator wants a run. */
        record Ordered(Message.RunOrder order) implements AgentEvent {}

        /** It wants no more of a run. */
        record RunOver(String run) implements AgentEvent {}

        /** It doesn't want this agent. */
        record AgentRefused(String why) implements AgentEvent {}

        /** It can't be reached, and may have ended. */
        record CoordinatorGone(boolean ended) implements AgentEvent {}

        /** This agent is closed. */
        record AgentClosed() implements AgentEvent {}
    }

    /** A message from the engine of another agent. */
    private record PartnerMessage(Address from, Message.PartnerBytes message) {}

    /** More of them aren't of a run that is about to begin. */
    private static final int MOST_EARLY = 1_000;

    private final AgentSettings settings;
    private final AgentWork work;
    private final AgentClock clock;
    private final BlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
    // Guarded by itself: of agents that began a run before this one.
    private final Deque<PartnerMessage> early = new ArrayDeque<>();
    // Of the agent's thread.
    private String toldWhy = "";
    // Of the agent's thread: the run whose result the coordinator hasn't confirmed.
    private Optional<String> unconfirmed = Optional.empty();
    private volatile Optional<AgentRun> current = Optional.empty();
    private volatile Future<?> greeting = CompletableFuture.completedFuture(null);
    private volatile boolean closed;
    private volatile boolean abandoned;

    /** An agent that hasn't joined anything. */
    public ClusterAgent(AgentSettings settings, AgentWork work) {
        this(settings, work, 0);
    }

    /**
     * An agent whose clock isn't that of others in this process, as if it were on another machine.
     *
     * @param ahead by how many nanoseconds the clock that it shows to others is ahead of {@link System#nanoTime()}
     */
    public ClusterAgent(AgentSettings settings, AgentWork work, long ahead) {
        this.settings = settings;
        this.work = work;
        this.clock = new AgentClock(ahead);
    }

    /**
     * Joins, runs, and joins again, until it is closed, or, if it is to run once, has.
     *
     * @throws IOException if the coordinator doesn't want it
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    public void run() throws IOException, InterruptedException {
        boolean ran = false;
        while (!closed && !(ran && settings.once())) {
            ran |= serve();
        }
    }

    /** Looked up anew each time: a name may get its address later. */
    private InetSocketAddress coordinator() {
        InetSocketAddress given = settings.coordinator();
        return new InetSocketAddress(given.getHostString(), given.getPort());
    }

    /** Until the coordinator is gone; returns whether there was a run. */
    private boolean serve() throws IOException, InterruptedException {
        try {
            Optional<Greeting> greeting = greet();
            if (greeting.isPresent()) {
                return serve(greeting.get());
            }
        } catch (RefusedException e) {
            throw e;
        } catch (IOException e) {
            // It may have gone again before it could be joined, or will never answer.
            String why = String.valueOf(e.getMessage());
            if (!why.equals(toldWhy)) {
                toldWhy = why;
                work.notJoined(Link.text(settings.coordinator()), e);
            }
        }
        events.poll(BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
        return false;
    }

    /** Another process at the coordinator's address may take its time, which closing this agent doesn't wait for. */
    private Optional<Greeting> greet() throws IOException, InterruptedException {
        FutureTask<Optional<Greeting>> task = new FutureTask<>(() -> Greeting.with(settings.access(), coordinator()));
        greeting = task;
        if (!closed) {
            Daemons.named("cluster-greeting").newThread(task).start();
        }
        try {
            return closed ? Optional.empty() : task.get();
        } catch (CancellationException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private boolean serve(Greeting greeting) throws IOException, InterruptedException {
        events.clear();
        unconfirmed = Optional.empty();
        boolean ran = false;
        MessageReceiver receiver = new MessageReceiver();
        NodeTransport transport =
                settings.network().join(settings.bind().orElse(greeting.own()), greeting, settings.access());
        try (Link link = Link.join(settings.name(), transport, receiver)) {
            if (greet().filter(again -> again.key().equals(greeting.key())).isEmpty()) {
                // Another coordinator has taken its place meanwhile.
                return false;
            }
            Address coordinator = link.coordinator();
            receiver.listen(link, coordinator);
            link.send(
                    coordinator,
                    new Message.Hello(
                            Environment.currentVersion(),
                            settings.name(),
                            settings.weight(),
                            Environment.capture().host().orElse("unknown")));
            work.joined(Link.text(settings.coordinator()));
            Duration patience = Duration.ZERO;
            while (!closed) {
                // What a run measured is still on the way to a coordinator that can't be reached.
                AgentEvent event =
                        receiver.reached ? events.take() : events.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
                if (event == null) {
                    break;
                } else if (event instanceof AgentEvent.Ordered ordered) {
                    execute(link, coordinator, ordered.order());
                    patience = Duration.ofNanos(ordered.order().patience());
                    ran = true;
                } else if (event instanceof AgentEvent.AgentRefused refused) {
                    throw new RefusedException("the coordinator refuses this agent: " + Printable.of(refused.why()));
                } else if (event instanceof AgentEvent.RunOver over) {
                    confirm(over);
                    if (ran && settings.once()) {
                        return ran;
                    }
                } else if (event instanceof AgentEvent.CoordinatorGone gone && gone.ended()) {
                    break;
                }
            }
            if (!closed || abandoned) {
                awaitConfirmation();
            }
            return ran;
        }
    }

    private void confirm(AgentEvent.RunOver over) {
        unconfirmed = unconfirmed.filter(run -> !run.equals(over.run()));
    }

    /** The coordinator has gone; if it hasn't confirmed a result before, that never arrived there. */
    private void awaitConfirmation() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_MESSAGE_MILLIS);
        while (unconfirmed.isPresent()) {
            AgentEvent event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event instanceof AgentEvent.RunOver over) {
                confirm(over);
            } else if (event == null) {
                unconfirmed = Optional.empty();
                work.coordinatorLost();
            }
        }
    }

    private void execute(Link link, Address coordinator, Message.RunOrder order) {
        AgentRun run = new AgentRun(order, message -> link.send(coordinator, message), settings, clock, link);
        synchronized (early) {
            current = Optional.of(run);
            early.forEach(message -> run.received(message.from, message.message));
            early.clear();
        }
        if (closed) {
            run.stop();
        }
        try {
            unconfirmed = run.execute(work) ? Optional.of(order.run()) : Optional.empty();
        } finally {
            current = Optional.empty();
        }
    }

    private void receive(PartnerMessage message) {
        synchronized (early) {
            if (current.isPresent()) {
                current.get().received(message.from, message.message);
            } else {
                early.add(message);
                if (early.size() > MOST_EARLY) {
                    early.remove();
                }
            }
        }
    }

    /** Ends a run as Ctrl-C does, if one is going, and leaves. Returns at once. */
    @Override
    public void close() {
        closed = true;
        greeting.cancel(false);
        current.ifPresent(AgentRun::stop);
        events.add(new AgentEvent.AgentClosed());
    }

    /** The same when the coordinator's command has ended, which without a confirmation of the result is a loss. */
    public void abandon() {
        abandoned = true;
        close();
    }

    /** Hears the coordinator, and agents that ask for its clock, in threads of JGroups. */
    private final class MessageReceiver implements Link.MessageHandler {

        private final ChronyReader chrony = new ChronyReader();
        private volatile Optional<Link> link = Optional.empty();
        private volatile Optional<Address> coordinator = Optional.empty();
        private volatile Optional<PeerClockReader> peers = Optional.empty();
        private volatile boolean reached = true;

        void listen(Link own, Address to) {
            link = Optional.of(own);
            peers = Optional.of(new PeerClockReader(own, to, clock));
            coordinator = Optional.of(to);
        }

        @Override
        public void received(Address from, Message message, long at) {
            if (message instanceof Message.ClockPing ping) {
                link.ifPresent(own -> own.send(from, answer(ping, at)));
            } else if (message instanceof Message.ClockPong pong) {
                peers.ifPresent(clocks -> clocks.received(from, pong, at));
                current.ifPresent(run -> run.received(from, pong, at));
            } else if (message instanceof Message.PartnerBytes between) {
                receive(new PartnerMessage(from, between));
            }
            if (!coordinator.equals(Optional.of(from))) {
                return;
            }
            reached = true;
            current.ifPresent(run -> run.received(message));
            if (message instanceof Message.Compare ask) {
                peers.ifPresent(clocks -> clocks.compare(ask));
            } else if (message instanceof Message.RunOrder order) {
                events.add(new AgentEvent.Ordered(order));
            } else if (message instanceof Message.Over over) {
                events.add(new AgentEvent.RunOver(over.run()));
            } else if (message instanceof Message.Refused no) {
                events.add(new AgentEvent.AgentRefused(no.why()));
            }
        }

        private Message.ClockPong answer(Message.ClockPing ping, long at) {
            WallClock wall = WallClock.read();
            return new Message.ClockPong(
                    ping.sent(),
                    clock.shown(at),
                    clock.now(),
                    wall.epoch() - clock.ahead(),
                    wall.error(),
                    chrony.last());
        }

        @Override
        public void gone(Address member, boolean ended) {
            if (ended) {
                current.ifPresent(run -> run.ended(member));
            }
            if (coordinator.equals(Optional.of(member))) {
                reached = false;
                current.ifPresent(run -> run.coordinatorGone(ended));
                events.add(new AgentEvent.CoordinatorGone(ended));
            }
        }
    }
}
