package io.phaseload.cluster;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.wire.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;

/** Compares an agent's clock with those of other agents, as the coordinator asks. Thread-safe. */
final class PeerClocks {

    private record Burst(String agent, List<ClockExchange> exchanges) {}

    private final Link link;
    private final Address coordinator;
    // Guarded by this.
    private final Map<Address, Burst> bursts = new HashMap<>();
    private int wanted;

    PeerClocks(Link link, Address coordinator) {
        this.link = link;
        this.coordinator = coordinator;
    }

    /** Begins with all of them; what is still going on of the last time ends with what there is. */
    synchronized void compare(Message.Compare ask) {
        wanted = ask.exchanges();
        bursts.values().stream().filter(of -> !of.exchanges.isEmpty()).forEach(this::tell);
        bursts.clear();
        for (String agent : ask.agents()) {
            link.find(agent).ifPresent(at -> bursts.put(at, new Burst(agent, new ArrayList<>())));
        }
        bursts.keySet().forEach(this::ping);
    }

    private void ping(Address to) {
        link.send(to, new Message.Ping(System.nanoTime()));
    }

    /** An answer, which came at a time of {@link System#nanoTime()}. */
    synchronized void heard(Address from, Message.Pong pong, long at) {
        Burst burst = bursts.get(from);
        if (burst == null) {
            return;
        }
        burst.exchanges.add(new ClockExchange(pong.sent(), pong.received(), pong.answered(), at));
        if (burst.exchanges.size() < wanted) {
            ping(from);
        } else {
            bursts.remove(from);
            tell(burst);
        }
    }

    private void tell(Burst of) {
        link.send(coordinator, new Message.Compared(of.agent, of.exchanges));
    }
}
