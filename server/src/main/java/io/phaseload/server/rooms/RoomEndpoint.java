package io.phaseload.server.rooms;

import io.phaseload.server.faults.FaultyMessages;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** One connection, from its opening on. Tomcat calls it from one thread at a time. */
final class RoomEndpoint extends Endpoint {

    private final Rooms rooms;
    private String room;
    private RoomMember member;
    private RoomOptions options;
    private FaultyMessages<Payload> faulty;
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    RoomEndpoint(Rooms rooms) {
        this.rooms = rooms;
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
        room = session.getPathParameters().get("id");
        member = new RoomMember(session, rooms.counters());
        rooms.enter(room, member);
        try {
            options = RoomOptions.of(session.getRequestParameterMap());
        } catch (IllegalArgumentException e) {
            member.close(new CloseReason(CloseCodes.VIOLATED_POLICY, e.getMessage()));
            return;
        }
        options.faults().ifPresent(of -> faulty = FaultyRoom.messages(of, rooms, room, member, options));
        session.addMessageHandler(String.class, (MessageHandler.Partial<String>) this::onText);
        session.addMessageHandler(ByteBuffer.class, (MessageHandler.Partial<ByteBuffer>) this::onBytes);
    }

    @Override
    public void onClose(Session session, CloseReason reason) {
        if (faulty != null) {
            faulty.deliverHeld();
        }
        rooms.leave(room, member);
    }

    @Override
    public void onError(Session session, Throwable cause) {
        // A connection that broke is closed by Tomcat; the counts say what became of its messages.
    }

    private void onText(String part, boolean last) {
        if (last && text.length() == 0) {
            onMessage(new Payload.TextPayload(part));
            return;
        }
        text.append(part);
        if (text.length() > rooms.maxMessage()) {
            refuse();
        } else if (last) {
            onMessage(new Payload.TextPayload(text.toString()));
            text.setLength(0);
        }
    }

    private void onBytes(ByteBuffer part, boolean last) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        if (last && bytes.size() == 0) {
            onMessage(new Payload.BinaryPayload(copy));
            return;
        }
        bytes.writeBytes(copy);
        if (bytes.size() > rooms.maxMessage()) {
            refuse();
        } else if (last) {
            onMessage(new Payload.BinaryPayload(bytes.toByteArray()));
            bytes.reset();
        }
    }

    private void refuse() {
        String reason = "a message is longer than " + rooms.maxMessage();
        member.close(new CloseReason(CloseCodes.TOO_BIG, reason));
    }

    private void onMessage(Payload message) {
        if (faulty == null) {
            deliver(message);
        } else {
            faulty.accept(message);
        }
    }

    private void deliver(Payload message) {
        rooms.deliver(room, member, message, options);
    }
}
