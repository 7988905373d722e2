package io.phaseload.websocket;

import io.phaseload.plan.share.Part;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which client has which end of a pair, where receivers are on another client than their sender: the one with the next
 * turn that isn't the sender's. Clients are numbered from 0. Immutable.
 */
final class Placement {

    private final int own;
    // By turn.
    private final int[] senders;
    private final int[] receivers;

    /**
     * Places all pairs.
     *
     * @param parts of all clients; together they have every turn
     * @throws IllegalArgumentException if there is only one client
     */
    Placement(List<Part> parts, int own) {
        if (parts.size() < 2) {
            throw new IllegalArgumentException("subscribers on other-agent: expected two agents");
        }
        this.own = own;
        int turns = parts.get(0).of();
        this.senders = new int[turns];
        this.receivers = new int[turns];
        for (int client = 0; client < parts.size(); client++) {
            for (int turn : parts.get(client).turns()) {
                senders[turn] = client;
            }
        }
        for (int turn = 0; turn < turns; turn++) {
            int next = turn;
            while (senders[next] == senders[turn]) {
                next = (next + 1) % turns;
            }
            receivers[turn] = senders[next];
        }
    }

    /** The client that has a pair's receivers. */
    int receivers(long pair) {
        return receivers[(int) (pair % receivers.length)];
    }

    /** The clients whose pairs have their receivers here, of the first so many pairs. */
    Set<Integer> hosted(int pairs) {
        Set<Integer> clients = new TreeSet<>();
        for (int turn = 0; turn < Math.min(pairs, senders.length); turn++) {
            if (receivers[turn] == own) {
                clients.add(senders[turn]);
            }
        }
        return clients;
    }

    /** How many of the first so many pairs have their receivers here. */
    int hostedReceivers(int pairs) {
        int count = 0;
        for (int pair = 0; pair < pairs; pair++) {
            if (receivers(pair) == own) {
                count++;
            }
        }
        return count;
    }
}
