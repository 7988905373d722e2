package io.phaseload.cluster.agent;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.RunningOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jgroups.Address;

/**
 * An agent's state for another agent of its run, with the unsent messages. For one thread at a time, but for
 * {@link #here}.
 */
final class Partner {

    /** The first ones follow each other at once. */
    private static final int FIRST_EXCHANGES = 20;

    private final String id;
    private final long mostUnanswered;
    private final RunningOffset offset = new RunningOffset();
    // Until it is in this member's view.
    private final List<byte[]> waiting = new ArrayList<>();
    // Until something is known of its clock, by which what it says has its times.
    private final List<byte[]> unheard = new ArrayList<>();
    private Optional<Address> address = Optional.empty();
    private int exchanges;
    private long unanswered;
    private boolean gone;

    /**
     * One that isn't in the view.
     *
     * @param id unique among members
     * @param mostUnanswered of so many questions in a row, one has to be answered
     */
    Partner(String id, long mostUnanswered) {
        this.id = id;
        this.mostUnanswered = mostUnanswered;
    }

    String id() {
        return id;
    }

    /** When something happened here, by this machine's clock. For any thread. */
    RunningOffset.Here here(long there) {
        return offset.here(there);
    }

    boolean isGone() {
        return gone;
    }

    /** Whether enough is known of its clock, or nothing more will be. */
    boolean isKnown() {
        return gone || exchanges >= FIRST_EXCHANGES;
    }

    /** Whether it has to be looked for. */
    boolean isMissing() {
        return !gone && address.isEmpty();
    }

    /** It has come into the view, and hasn't been asked anything yet. */
    List<byte[]> found(Address at) {
        address = Optional.of(at);
        unanswered = 0;
        return taken(waiting);
    }

    /** Something is to be sent to it, which waits until it is found, or is dropped once it is gone. */
    Optional<Address> send(byte[] message) {
        if (isMissing()) {
            waiting.add(message);
        }
        return address;
    }

    /**
     * It is about to be asked again, or, if it isn't in the view, was looked for in vain.
     *
     * @return true if that was done too often, so that it is to be given up instead
     */
    boolean isSilent() {
        return ++unanswered > mostUnanswered;
    }

    /** Where it is; empty if it has never been in the view, or is gone. */
    Optional<Address> address() {
        return address;
    }

    /** It answered about its clock. */
    List<byte[]> answered(ClockExchange exchange) {
        offset.add(exchange);
        unanswered = 0;
        exchanges++;
        return taken(unheard);
    }

    /** Keeps what it says, until its clock is known; returns whether it is to be heard now. */
    boolean isReceived(byte[] message) {
        if (!offset.isKnown()) {
            unheard.add(message);
        }
        return offset.isKnown();
    }

    /** Nothing is sent to it or heard of it from now on; returns whether that is new. */
    boolean lose() {
        boolean before = gone;
        gone = true;
        address = Optional.empty();
        waiting.clear();
        unheard.clear();
        return !before;
    }

    private static List<byte[]> taken(List<byte[]> messages) {
        List<byte[]> all = List.copyOf(messages);
        messages.clear();
        return all;
    }
}
