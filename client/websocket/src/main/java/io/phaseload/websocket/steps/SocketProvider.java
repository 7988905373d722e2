package io.phaseload.websocket.steps;

import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopSockets;
import io.phaseload.http.socket.SocketClient;
import io.phaseload.http.socket.SocketClients;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.plan.Plan;

/** Makes WebSockets for users of event loops, and for those that wait. */
public final class SocketProvider implements LoopSockets, SocketClients {

    /** Creates a provider. */
    public SocketProvider() {}

    @Override
    public UserSocket newSocket(LoopContext loop) {
        return new LoopSocket(loop);
    }

    @Override
    public SocketClient create(Plan plan) {
        return new LoopClient(plan);
    }
}
