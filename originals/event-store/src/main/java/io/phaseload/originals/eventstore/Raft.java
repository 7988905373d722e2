package io.phaseload.originals.eventstore;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;

/** A way from the endpoints of a peer to the Raft group. Commands of one thread are applied in their order. */
interface Raft extends AutoCloseable {
    /** Completes when a majority has the command and the leader has applied it, or with an exception. */
    CompletableFuture<Reply> send(Command command);

    /** Counts the events of this peer, after everything that was committed when it was called. */
    CompletableFuture<Events.Count> count();

    @Override
    void close() throws IOException;

    static Message content(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new IllegalStateException(reply.getException());
        }
        return reply.getMessage();
    }
}
