package io.phaseload.server.rooms;

import io.phaseload.server.faults.FaultyMessages;
import io.phaseload.server.faults.MessageFaults;
import jakarta.websocket.CloseReason;
import java.time.Duration;

/** A room as the faults of one connection use it. */
record FaultyRoom(Rooms rooms, String id, RoomMember member, RoomOptions options)
        implements FaultyMessages.Room<Payload> {

    /** Made here, so that a connection without faults loads neither this class nor {@link FaultyMessages}. */
    static FaultyMessages<Payload> messages(
            MessageFaults faults, Rooms rooms, String id, RoomMember member, RoomOptions options) {
        return new FaultyMessages<>(faults, new FaultyRoom(rooms, id, member, options));
    }

    @Override
    public void deliver(Payload message) {
        rooms.deliver(id, member, message, options);
    }

    @Override
    public void repeat(Payload message) {
        rooms.repeat(id, member, message, options);
    }

    @Override
    public void lose() {
        rooms.lose(id, member, options);
    }

    @Override
    public void sleep(Duration time) {
        rooms.sleep(time);
    }

    @Override
    public void close(int code, String reason) {
        member.close(new CloseReason(() -> code, reason));
    }
}
