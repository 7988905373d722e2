package io.phaseload.originals.eventstore;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

/**
 * Applies the replicated log to the events of one peer. A snapshot is the file of the events itself, saved up to an
 * entry. So it costs the changes since the last one, and a peer starts from it without the log before.
 */
final class EventMachine extends BaseStateMachine {
    private final Events events;
    private volatile TermIndex snapshot;

    private record Snapshot(TermIndex getTermIndex) implements SnapshotInfo {
        @Override
        public List<FileInfo> getFiles() {
            return List.of();
        }
    }

    EventMachine(Events events) {
        this.events = events;
        snapshot = events.saved();
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        super.initialize(server, group, storage);
        setLastAppliedTermIndex(snapshot);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        Reply reply = events.apply(Command.of(entry.getStateMachineLogEntry().getLogData()));
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        if (events.shouldBeSaved()) {
            events.save(getLastAppliedTermIndex());
        }
        return CompletableFuture.completedFuture(reply.message());
    }

    @Override
    public CompletableFuture<Message> query(Message request) {
        try {
            return CompletableFuture.completedFuture(events.count().message());
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public long takeSnapshot() {
        TermIndex applied = getLastAppliedTermIndex();
        events.save(applied);
        events.sync();
        snapshot = applied;
        return applied.getIndex();
    }

    @Override
    public SnapshotInfo getLatestSnapshot() {
        return snapshot.getIndex() < 0 ? null : new Snapshot(snapshot);
    }

    @Override
    public void close() {
        events.close();
    }
}
