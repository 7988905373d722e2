package io.phaseload.events.shared;

import io.phaseload.events.connection.Sender;

/** A connection of a few users, each of which sends as if it were its own. */
public interface SharedConnection {

    /** One more user of it. */
    Sender newUser(Sender.Listener listener);

    /** How many it has. */
    int users();
}
