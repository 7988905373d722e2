package io.phaseload.events.shared;

import io.netty.util.collection.IntObjectHashMap;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.events.http2.Http2Exception;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The open streams of one connection, and their limit. Owned by one event loop. */
final class Http2Streams {

    private final IntObjectHashMap<Http2Stream> open = new IntObjectHashMap<>();
    private final Deque<Http2Stream> unused = new ArrayDeque<>();
    private int next = 1;
    private long most = Long.MAX_VALUE;

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Whether the server allows another one now. */
    boolean hasRoom() {
        return open.size() < most;
    }

    /** The server allows this many at a time from now on. */
    void limit(long count) {
        most = count;
    }

    /** Whether no stream was ever opened. */
    boolean noneEver() {
        return next == 1;
    }

    /** Whether the stream numbers are used up. */
    boolean exhausted() {
        return next < 0;
    }

    /** Opens one. */
    Http2Stream open(SharedUser user, int window) {
        Http2Stream stream = unused.isEmpty() ? new Http2Stream() : unused.poll();
        stream.begin(user, next, window);
        open.put(next, stream);
        next += 2;
        return stream;
    }

    /** An open stream, or {@code null} if it is over. */
    Http2Stream find(int id) {
        return open.get(id);
    }

    /**
     * Like {@link #find}, for frames that only opened streams may have.
     *
     * @throws Http2Exception if it was never opened
     */
    Http2Stream findOpened(int id) throws Http2Exception {
        Http2Stream stream = open.get(id);
        if (stream == null && ((id & 1) == 0 || id - next >= 0)) {
            throw new Http2Exception(
                    Http2Error.PROTOCOL_ERROR, "a frame for stream %d, which was never opened".formatted(id));
        }
        return stream;
    }

    /** A copy, so that streams may be closed meanwhile. */
    List<Http2Stream> all() {
        return List.copyOf(open.values());
    }

    void close(Http2Stream stream) {
        open.remove(stream.id());
    }

    /** Nothing refers to a closed stream any more: another request can reuse it. */
    void reuse(Http2Stream closed) {
        unused.push(closed);
    }

    void clear() {
        open.clear();
    }
}
