package io.phaseload.originals.eventstore;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;

/** Method calls to the only peer, in its own process. */
final class EmbeddedRaft implements Raft {
    private final Peer peer;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    EmbeddedRaft(Peer peer) {
        this.peer = peer;
    }

    @Override
    public CompletableFuture<Reply> send(Command command) {
        RaftClientRequest request =
                request(calls.incrementAndGet(), command.message(), RaftClientRequest.writeRequestType());
        return submit(request).thenApply(Raft::content).thenApply(Reply::of);
    }

    @Override
    public CompletableFuture<Events.Count> count() {
        if (!peer.isReady()) {
            return CompletableFuture.failedFuture(new IOException("this peer isn't the leader yet"));
        }
        RaftClientRequest request =
                request(calls.incrementAndGet(), Message.EMPTY, RaftClientRequest.readRequestType());
        return submit(request).thenApply(Raft::content).thenApply(Events.Count::of);
    }

    /** A request that is the same one as any other with this number. */
    RaftClientRequest request(long number, Message message, RaftClientRequest.Type type) {
        return RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(peer.server.getId())
                .setGroupId(peer.group.getGroupId())
                .setCallId(number)
                .setMessage(message)
                .setType(type)
                .build();
    }

    CompletableFuture<RaftClientReply> submit(RaftClientRequest request) {
        try {
            return peer.server.submitClientRequestAsync(request);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {}
}
