package io.phaseload.server.rooms;

import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import java.nio.ByteBuffer;

/** A whole message, which can be sent any number of times. */
sealed interface Payload {

    void sendTo(RemoteEndpoint.Async remote, SendHandler done);

    /** A message of characters. */
    record TextPayload(String text) implements Payload {
        @Override
        public void sendTo(RemoteEndpoint.Async remote, SendHandler done) {
            remote.sendText(text, done);
        }
    }

    /** A binary message; nobody changes it. */
    record BinaryPayload(byte[] bytes) implements Payload {
        @Override
        public void sendTo(RemoteEndpoint.Async remote, SendHandler done) {
            remote.sendBinary(ByteBuffer.wrap(bytes), done);
        }
    }
}
