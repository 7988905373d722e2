package io.phaseload.cluster;

import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import org.jgroups.Address;

/** Events of a coordinator. */
sealed interface Event {

    /** A message came, at a time of {@link System#nanoTime()}. */
    record MessageReceived(Address from, Message message, long at) implements Event {}

    /** A member can't be reached, and may have ended; see {@link Link.MessageHandler#gone}. */
    record Gone(Address member, boolean ended) implements Event {}

    /** Somebody asked for the run's end. */
    record StopAsked() implements Event {}
}
