package io.phaseload.originals.eventstore;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;

/**
 * The events of one peer, in a file. The file always has the state after exactly one entry of the log: changes after
 * the last {@link #save} are lost on {@link #close}, as after a crash, and come again from the log.
 *
 * <p>One thread changes the events; any thread counts them.
 */
final class Events implements AutoCloseable {
    /** Bytes of unsaved events that are too many for the memory. */
    private static final int MOST_UNSAVED = 8 << 20;

    private static final String INSERTION = "insertion";
    /** The number of the next event of that insertion. */
    private static final String NEXT = "next";

    private static final String STORED = "stored";
    private static final String INSERTED = "inserted";
    private static final String TOKENS = "tokens";
    /** The token that cleans the store, or 0. */
    private static final String TOKEN = "token";

    private static final String TERM = "term";
    private static final String INDEX = "index";

    private final MVStore store;
    /** Batches by the number of their first event. */
    private final MVMap<Long, byte[]> batches;

    private final MVMap<String, Long> state;

    private long unsaved;

    /**
     * The result of a count.
     *
     * @param events the events in the store
     * @param inserted all events that were ever inserted
     */
    record Count(long events, long inserted) {
        Message message() {
            return Message.valueOf(ByteString.copyFrom(ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(events)
                    .putLong(inserted)
                    .flip()));
        }

        static Count of(Message message) {
            ByteBuffer content = message.getContent().asReadOnlyByteBuffer();
            return new Count(content.getLong(), content.getLong());
        }
    }

    Events(Path file) {
        store = new MVStore.Builder()
                .fileName(file.toString())
                .autoCommitDisabled()
                .autoCommitBufferSize(0)
                .cacheSize(16)
                .open();
        store.setRetentionTime(0);
        store.setVersionsToKeep(0);
        batches = store.openMap(
                "batches",
                new MVMap.Builder<Long, byte[]>().keyType(LongDataType.INSTANCE).valueType(ByteArrayDataType.INSTANCE));
        state = store.openMap(
                "state",
                new MVMap.Builder<String, Long>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(LongDataType.INSTANCE));
    }

    Reply apply(Command command) {
        if (command instanceof Command.Insert batch) {
            return insert(batch);
        }
        return command instanceof Command.Clean clean ? clean(clean.token()) : makeToken();
    }

    /** A batch that was applied before, which the sender repeats because it didn't get the reply, changes nothing. */
    private Reply insert(Command.Insert batch) {
        boolean goesOn = batch.insertion() == get(INSERTION);
        long stored = get(STORED);
        if (!goesOn && stored > 0) {
            return Reply.refused(stored + " events are left");
        }
        long expected = goesOn ? get(NEXT) : 0;
        if (batch.first() < expected) {
            return Reply.of(stored);
        }
        if (batch.first() > expected) {
            return Reply.refused("expected event " + expected + ", got " + batch.first());
        }
        byte[] events = batch.events().toByteArray();
        int count = events.length / Event.BYTES;
        batches.put(batch.first(), events);
        unsaved += events.length;
        state.put(INSERTION, batch.insertion());
        state.put(NEXT, batch.first() + count);
        state.put(STORED, stored + count);
        state.put(INSERTED, get(INSERTED) + count);
        return Reply.of(stored + count);
    }

    private Reply makeToken() {
        long token = get(TOKENS) + 1;
        state.put(TOKENS, token);
        state.put(TOKEN, token);
        return Reply.of(token);
    }

    private Reply clean(long token) {
        if (token <= 0 || token != get(TOKEN)) {
            return Reply.refused("expected the token that was made last, once");
        }
        batches.clear();
        state.put(STORED, 0L);
        state.put(TOKEN, 0L);
        // A late batch of the insertion before is a repeated one.
        state.put(NEXT, Long.MAX_VALUE);
        return Reply.of(0);
    }

    private long get(String key) {
        return state.getOrDefault(key, 0L);
    }

    /** Counts by reading every event. Throws IllegalStateException if one isn't as it was written. */
    Count count() {
        MVStore.TxCounter version = store.registerVersionUsage();
        try {
            long number = 0;
            for (Cursor<Long, byte[]> cursor = batches.cursor(0L); cursor.hasNext(); ) {
                long first = cursor.next();
                ByteBuffer events = ByteBuffer.wrap(cursor.getValue());
                for (; events.hasRemaining(); number++) {
                    if (first > number || !Event.read(number, events)) {
                        throw new IllegalStateException("event " + number + " isn't as it was written");
                    }
                }
            }
            return new Count(number, get(INSERTED));
        } finally {
            store.deregisterVersionUsage(version);
        }
    }

    boolean shouldBeSaved() {
        return unsaved > MOST_UNSAVED;
    }

    /** Writes everything to the file, with the last entry of the log that was applied. */
    void save(TermIndex applied) {
        state.put(TERM, applied.getTerm());
        state.put(INDEX, applied.getIndex());
        store.commit();
        unsaved = 0;
    }

    /** Makes the saved state outlast a failure of the machine. */
    void sync() {
        store.sync();
    }

    /** The last entry of the log that the file has. */
    TermIndex saved() {
        Long index = state.get(INDEX);
        return index == null ? TermIndex.INITIAL_VALUE : TermIndex.valueOf(get(TERM), index);
    }

    @Override
    public void close() {
        store.closeImmediately();
    }
}
