package io.phaseload.cluster.agent;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jgroups.Address;

/** Compares an agent's clock with those of other agents, as the coordinator asks. Thread-safe. */
public final class PeerClockReader {

    private final Link link;
    private final Address coordinator;
    private final AgentClock clock;
    // Guarded by this: by the other agent's id.
    private final Map<String, List<ClockExchange>> bursts = new HashMap<>();
    private String run = "";
    private int wanted;

    /**
     * Nothing is compared yet.
     *
     * @param clock this agent's
     */
    PeerClockReader(Link link, Address coordinator, AgentClock clock) {
        this.link = link;
        this.coordinator = coordinator;
        this.clock = clock;
    }

    /** Begins with all of them, which may be none; what is still going on of the last time ends with what there is. */
    synchronized void compare(Message.Compare ask) {
        bursts.forEach(this::report);
        bursts.clear();
        run = ask.run();
        wanted = ask.exchanges();
        for (String id : ask.agents()) {
            Optional<Address> there = link.find(id);
            there.ifPresent(at -> bursts.put(id, new ArrayList<>()));
            there.ifPresent(link::ping);
        }
    }

    /** An answer, which came at a time of {@link System#nanoTime()}. */
    synchronized void received(Address from, Message.ClockPong pong, long at) {
        String id = Link.id(from);
        List<ClockExchange> exchanges = bursts.get(id);
        if (exchanges == null) {
            return;
        }
        exchanges.add(pong.exchange(at));
        if (exchanges.size() < wanted) {
            link.ping(from);
        } else {
            bursts.remove(id);
            report(id, exchanges);
        }
    }

    private void report(String id, List<ClockExchange> exchanges) {
        if (!exchanges.isEmpty()) {
            link.send(
                    coordinator,
                    new Message.Compared(
                            run, id, exchanges.stream().map(clock::shown).toList()));
        }
    }
}
