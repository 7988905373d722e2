package io.phaseload.websocket;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The notes of one phase: hands them to the loops that they are for. Its users have ended only when all clients whose
 * receivers are here are done, too. Thread-safe.
 */
final class RemotePhase implements PeerChannel.Reader {

    private final PeerChannel peerChannel;
    private final int index;
    private final List<PairLoop> loops;
    // By pair: its loop, if its sender is here.
    private final Map<Long, PairLoop> senders = new HashMap<>();
    // Guarded by this.
    private final Map<Long, PairLoop> hosts = new HashMap<>();
    private final Set<Integer> waiting;
    private final Set<Integer> served = new TreeSet<>();
    private final Runnable clientDone;
    private boolean told;

    /**
     * A phase's notes, none of which are read yet.
     *
     * @param hosted the clients whose receivers are here
     * @param loops all that this client has
     * @param clientDone called once for each of {@code hosted}, by any thread
     */
    RemotePhase(PeerChannel peerChannel, int index, Set<Integer> hosted, List<PairLoop> loops, Runnable clientDone) {
        this.peerChannel = peerChannel;
        this.index = index;
        this.waiting = new TreeSet<>(hosted);
        this.loops = List.copyOf(loops);
        this.clientDone = clientDone;
        peerChannel.prepare(index);
        Placement placement = peerChannel.placement();
        for (PairLoop loop : loops) {
            for (long pair : loop.numbers()) {
                senders.put(pair, loop);
                served.add(placement.receivers(pair));
            }
        }
    }

    void begin() {
        peerChannel.begin(index, Set.copyOf(waiting), this);
    }

    @Override
    public void read(int partner, long until, List<PeerNote> notes) {
        Map<PairLoop, List<PeerNote>> bySender = new HashMap<>();
        loops.forEach(loop -> bySender.put(loop, new ArrayList<>()));
        for (PeerNote note : notes) {
            if (note.kind() == PeerNote.NoteKind.DONE) {
                done(partner);
            } else if (note.kind() == PeerNote.NoteKind.OPEN) {
                PairLoop host = host(note.pair());
                host.run(remote -> remote.open(partner, note));
            } else if (senders.containsKey(note.pair())) {
                bySender.get(senders.get(note.pair())).add(note);
            }
        }
        if (served.contains(partner)) {
            bySender.forEach((loop, own) -> loop.run(remote -> remote.received(partner, until, own)));
        }
    }

    /** In turn, and a pair's receivers on one loop. */
    private synchronized PairLoop host(long pair) {
        return hosts.computeIfAbsent(pair, number -> loops.get(hosts.size() % loops.size()));
    }

    @Override
    public void gone(int partner) {
        done(partner);
        loops.forEach(loop -> loop.run(remote -> remote.gone(partner)));
    }

    private void done(int partner) {
        boolean awaited;
        synchronized (this) {
            awaited = waiting.remove(partner);
        }
        if (awaited) {
            clientDone.run();
        }
    }

    /** Waits for no other client any more. */
    void giveUp() {
        List<Integer> left;
        synchronized (this) {
            left = List.copyOf(waiting);
        }
        left.forEach(this::done);
    }

    /** Reports to the others, once, that all messages of this client have ended. */
    synchronized void reportDone() {
        if (!told) {
            told = true;
            served.forEach(client -> peerChannel.add(client, now -> PeerNote.done()));
        }
    }

    void end() {
        reportDone();
        peerChannel.end();
    }
}
