package io.phaseload.websocket;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The mail of one phase: hands notes to the loops that they are for. Its users have ended only when all clients whose
 * receivers are here are done, too. Thread-safe.
 */
final class FarPhase implements Mail.Reader {

    private final Mail mail;
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
     * A phase's mail, which doesn't come yet.
     *
     * @param hosted the clients whose receivers are here
     * @param loops all that this client has
     * @param clientDone called once for each of {@code hosted}, by any thread
     */
    FarPhase(Mail mail, int index, Set<Integer> hosted, List<PairLoop> loops, Runnable clientDone) {
        this.mail = mail;
        this.index = index;
        this.waiting = new TreeSet<>(hosted);
        this.loops = List.copyOf(loops);
        this.clientDone = clientDone;
        mail.prepare(index);
        Placement placement = mail.placement();
        for (PairLoop loop : loops) {
            for (long pair : loop.numbers()) {
                senders.put(pair, loop);
                served.add(placement.receivers(pair));
            }
        }
    }

    void begin() {
        mail.begin(index, Set.copyOf(waiting), this);
    }

    @Override
    public void read(int partner, long until, List<Note> notes) {
        Map<PairLoop, List<Note>> bySender = new HashMap<>();
        loops.forEach(loop -> bySender.put(loop, new ArrayList<>()));
        for (Note note : notes) {
            if (note.kind() == Note.Kind.DONE) {
                done(partner);
            } else if (note.kind() == Note.Kind.OPEN) {
                PairLoop host = host(note.pair());
                host.run(far -> far.open(partner, note));
            } else if (senders.containsKey(note.pair())) {
                bySender.get(senders.get(note.pair())).add(note);
            }
        }
        if (served.contains(partner)) {
            bySender.forEach((loop, own) -> loop.run(far -> far.heard(partner, until, own)));
        }
    }

    /** In turn, and a pair's receivers on one loop. */
    private synchronized PairLoop host(long pair) {
        return hosts.computeIfAbsent(pair, number -> loops.get(hosts.size() % loops.size()));
    }

    @Override
    public void gone(int partner) {
        done(partner);
        loops.forEach(loop -> loop.run(far -> far.gone(partner)));
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

    /** Tells the others that all messages of this client have ended; told again, it does nothing. */
    synchronized void tellDone() {
        if (!told) {
            told = true;
            served.forEach(client -> mail.add(client, now -> Note.done()));
        }
    }

    void end() {
        tellDone();
        mail.end();
    }
}
