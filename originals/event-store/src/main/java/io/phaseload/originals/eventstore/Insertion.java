package io.phaseload.originals.eventstore;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Writes events into a buffer, and sends each full one, and the last one, to the Raft group. */
final class Insertion {
    /** Bytes of batches that may be on their way at the same time. */
    private static final int MOST_IN_FLIGHT = 4 << 20;

    private final Raft raft;
    private final ByteBuffer buffer;
    private final long number = UUID.randomUUID().getMostSignificantBits();
    private final Semaphore free;

    Insertion(Raft raft, ByteBuffer buffer) {
        this.raft = raft;
        this.buffer = buffer;
        free = new Semaphore(MOST_IN_FLIGHT / buffer.capacity());
    }

    /**
     * Inserts so many events. Returns when all are committed, with the number in the store, or when a batch was
     * refused.
     */
    Reply insert(long events) throws InterruptedException {
        CompletableFuture<Reply> all = CompletableFuture.completedFuture(Reply.of(0));
        for (long first = 0; first < events && !refused(all); ) {
            long next = Math.min(events, first + buffer.capacity() / Event.BYTES);
            Command batch = new Command.Insert(number, first, filled(first, next));
            free.acquire();
            CompletableFuture<Reply> sent = raft.send(batch).whenComplete((reply, failure) -> free.release());
            all = all.thenCombine(sent, (before, reply) -> before.accepted() ? reply : before);
            first = next;
        }
        return all.join();
    }

    private static boolean refused(CompletableFuture<Reply> replies) {
        return replies.isDone() && !replies.join().accepted();
    }

    private ByteString filled(long first, long next) {
        buffer.clear();
        for (long event = first; event < next; event++) {
            Event.write(event, buffer);
        }
        if (buffer instanceof MappedByteBuffer file) {
            file.force();
        }
        return ByteString.copyFrom(buffer.flip());
    }
}
