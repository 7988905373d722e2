package io.phaseload.cluster;

import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.network.Network;
import io.phaseload.cluster.network.NodeTransport;
import io.phaseload.cluster.wire.Message;
import io.phaseload.input.Printable;
import io.phaseload.result.Environment;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jgroups.Address;

/**
 * Where agents come to. {@link #await} and {@link ClusterRun} are for one thread, one after the other; {@link #wake()}
 * and {@link #close()} may be called by any.
 */
public final class Coordinator implements AutoCloseable {

    private static final String ENOUGH = "the run has all the agents that it needs";

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Member> members = new ArrayList<>();
    private final Link link;
    private Optional<Set<String>> names = Optional.empty();
    private int most = Integer.MAX_VALUE;

    private Coordinator(NodeTransport transport) throws IOException {
        this.link = Link.open(transport, new Link.MessageHandler() {
            @Override
            public void received(Address from, Message message, long at) {
                events.add(new Event.MessageReceived(from, message, at));
            }

            @Override
            public void gone(Address member, boolean ended) {
                events.add(new Event.Gone(member, ended));
            }
        });
    }

    /**
     * Begins to listen.
     *
     * @param listen address and port; 0 for any that is free
     * @return a coordinator without agents
     * @throws IOException if it can't, such as because the port is taken
     */
    public static Coordinator open(InetSocketAddress listen, Network network, ClusterAccess access) throws IOException {
        return new Coordinator(network.listen(listen, access));
    }

    /** {@return the place where agents find it: the address, with the port that was taken} */
    public InetSocketAddress address() {
        return link.address();
    }

    /**
     * Waits for agents. Those of an earlier run that aren't lost are still there.
     *
     * @param count the number; more are sent away
     * @param joined told the name of each that comes
     * @return the names of all that came, in order; fewer than asked for if time was up, or {@link #wake()} was called
     * @throws InterruptedException if the thread was interrupted
     */
    public List<String> await(int count, Duration timeout, Consumer<String> joined) throws InterruptedException {
        names = Optional.empty();
        return await(count, timeout, joined, other -> {});
    }

    /**
     * The same for agents with these names. Others that come are neither taken nor sent away: they stay idle until the
     * coordinator is closed, and serve no other one meanwhile.
     *
     * @param named their names, which differ
     * @param joined told the name of each that comes
     * @param idle told the name of each other one
     * @return the names of all that came, in order
     * @throws InterruptedException if the thread was interrupted
     */
    public List<String> await(Set<String> named, Duration timeout, Consumer<String> joined, Consumer<String> idle)
            throws InterruptedException {
        names = Optional.of(Set.copyOf(named));
        return await(named.size(), timeout, joined, idle);
    }

    private List<String> await(int count, Duration timeout, Consumer<String> joined, Consumer<String> idle)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        members.removeIf(member -> !member.reached());
        members.replaceAll(Member::again);
        // What has happened since then comes first.
        while (members.size() < count || !events.isEmpty()) {
            Optional<Event> event = next(deadline);
            if (event.isEmpty() || event.get() instanceof Event.StopAsked) {
                break;
            }
            if (event.get() instanceof Event.MessageReceived received
                    && received.message() instanceof Message.Hello hello) {
                if (!isWanted(hello)) {
                    idle.accept(text(hello));
                    continue;
                }
                Optional<String> why = members.size() < count ? refusal(hello) : Optional.of(ENOUGH);
                if (why.isPresent()) {
                    link.send(received.from(), new Message.Refused(why.get()));
                } else {
                    members.add(new Member(received.from(), hello));
                    joined.accept(text(hello));
                }
            } else if (event.get() instanceof Event.Gone gone) {
                members.removeIf(member -> member.address().equals(gone.member()));
            }
        }
        return members.stream().map(Member::name).toList();
    }

    private boolean isWanted(Message.Hello hello) {
        return names.isEmpty() || names.get().contains(hello.name());
    }

    private static String text(Message.Hello hello) {
        return Printable.of(hello.name() + " (" + hello.host() + ")");
    }

    private Optional<String> refusal(Message.Hello hello) {
        String own = Environment.currentVersion();
        if (!hello.version().equals(own)) {
            return Optional.of("it has version %s, the coordinator has %s".formatted(hello.version(), own));
        }
        try {
            AgentSettings.check(hello.name(), hello.weight());
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
        return members.stream().anyMatch(member -> member.name().equals(hello.name()))
                ? Optional.of("there is another agent with the name " + hello.name())
                : Optional.empty();
    }

    /** Has a wait for agents end early. */
    public void wake() {
        events.add(new Event.StopAsked());
    }

    /** The next thing that happens; empty at a deadline. */
    Optional<Event> next(long deadline) throws InterruptedException {
        return Optional.ofNullable(events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
    }

    /** Whether nothing waits to be handled. */
    boolean idle() {
        return events.isEmpty();
    }

    /** Sends away whoever comes too late. */
    void refuse(Event.MessageReceived received) {
        if (received.message() instanceof Message.Hello hello && isWanted(hello)) {
            link.send(received.from(), new Message.Refused(ENOUGH));
        }
    }

    /**
     * Has the next runs use some of the agents that came; the others wait.
     *
     * @param count the most that take part
     */
    public void use(int count) {
        most = count;
    }

    /** Those that take part. */
    List<Member> members() {
        return members.subList(0, Math.min(most, members.size()));
    }

    Optional<Member> find(Address address) {
        return members.stream()
                .filter(member -> member.address().equals(address))
                .findFirst();
    }

    /** Asks for an agent's clock. */
    void ping(Member member) {
        link.ping(member.address());
    }

    void send(Member to, Message message) {
        link.send(to.address(), message);
    }

    @Override
    public void close() {
        link.close();
    }
}
