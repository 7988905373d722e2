package io.phaseload.originals.eventstore;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.util.TimeDuration;

/** Calls by gRPC: commands to the leader, wherever it is, and counts to one peer. */
final class RemoteRaft implements Raft {
    private static final TimeDuration REQUEST = TimeDuration.valueOf("10s", null);
    private static final TimeDuration BEFORE_RETRY = TimeDuration.valueOf("250ms", null);
    private static final int RETRIES = 120;

    private final Peer peer;
    private final RaftPeerId counted;
    /** Guarded by this. */
    private RaftClient client;

    RemoteRaft(Peer peer) {
        this.peer = peer;
        counted = peer.server.getId();
        client = connect();
    }

    private RaftClient connect() {
        RaftProperties properties = new RaftProperties();
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, REQUEST);
        return RaftClient.newBuilder()
                .setRaftGroup(peer.group)
                .setProperties(properties)
                .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(RETRIES, BEFORE_RETRY))
                .build();
    }

    @Override
    public synchronized CompletableFuture<Reply> send(Command command) {
        RaftClient used = client;
        return used.async()
                .send(command.message())
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        reconnect(used);
                    }
                })
                .thenApply(Raft::content)
                .thenApply(Reply::of);
    }

    /** After a failure, a client fails all later commands, too, since they would be out of order. */
    private synchronized void reconnect(RaftClient failed) {
        if (failed == client) {
            client = connect();
            CompletableFuture.runAsync(() -> closeQuietly(failed));
        }
    }

    private static void closeQuietly(RaftClient client) {
        try {
            client.close();
        } catch (IOException e) {
            // Another one has taken its place.
        }
    }

    @Override
    public synchronized CompletableFuture<Events.Count> count() {
        return client.async()
                .sendReadOnlyUnordered(Message.EMPTY, counted)
                .thenApply(Raft::content)
                .thenApply(Events.Count::of);
    }

    @Override
    public synchronized void close() throws IOException {
        client.close();
    }
}
