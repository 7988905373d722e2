package io.phaseload.server.rooms;

import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import java.nio.ByteBuffer;

/** A whole message, which can be sent any number of times. */
@FunctionalInterface
interface Payload {

    void sendTo(RemoteEndpoint.Async remote, SendHandler done);

    static Payload ofText(String text) {
        return (remote, done) -> remote.sendText(text, done);
    }

    static Payload ofBytes(ByteBuffer bytes) {
        return (remote, done) -> remote.sendBinary(bytes.duplicate(), done);
    }
}
