package io.phaseload.events.shared;

import io.netty.buffer.ByteBuf;
import io.phaseload.events.http2.FrameReader;
import io.phaseload.events.http2.FrameWriter;
import io.phaseload.events.http2.Http2Error;
import io.phaseload.events.http2.Http2Exception;
import io.phaseload.events.http2.Http2Settings;
import io.phaseload.events.http2.ResponseHead;
import io.phaseload.http.limit.ProgressBudget;
import io.phaseload.measure.Outcome;

/** Applies the server's frames to a session and its streams. Owned by one event loop. */
record Http2FrameHandler(
        Http2Session session,
        Http2Streams streams,
        Http2Uploads uploads,
        Http2Downloads downloads,
        FrameWriter out,
        @Override ProgressBudget budget)
        implements FrameReader.Listener {

    /** Unless the server doesn't read what answers its frames, which would gather here. */
    private void progress() {
        if (uploads.isWritable()) {
            budget.progress();
        }
    }

    @Override
    public void head(int id, ResponseHead head, boolean last) throws Http2Exception {
        Http2Stream stream = streams.findOpened(id);
        if (stream != null) {
            if (head.status() >= 200) {
                progress();
            }
            proceed(stream, stream.response().head(head, last), last);
            if (head.status() == 100 && !last) {
                session.sendBody(stream);
            }
        }
    }

    @Override
    public void data(int id, ByteBuf bytes, int length, int taken, boolean last) throws Http2Exception {
        Http2Stream stream = streams.findOpened(id);
        downloads.take(stream, taken, last);
        if (stream != null) {
            if (length > 0) {
                progress();
            }
            stream.user().flight().received(taken, session.readNanos());
            proceed(stream, stream.response().data(bytes, length), last);
        }
    }

    /** A part of a response has arrived, which may be invalid, or the last one. */
    private void proceed(Http2Stream stream, String wrong, boolean last) {
        String found = wrong == null && last ? stream.response().end() : wrong;
        if (found != null) {
            out.reset(stream.id(), Http2Error.PROTOCOL_ERROR);
            session.failed(stream, new Outcome.MalformedResponse(found));
        } else if (last) {
            if (stream.bodyLeft() > 0) {
                // The server doesn't need the rest of the request.
                out.reset(stream.id(), Http2Error.NO_ERROR);
            }
            session.completed(stream);
        }
    }

    @Override
    public void overhead(int id, int bytes) {
        Http2Stream stream = streams.find(id);
        if (stream != null) {
            session.answering();
            stream.user().flight().received(bytes, session.readNanos());
        }
    }

    @Override
    public void reset(int id, long code) throws Http2Exception {
        Http2Stream stream = streams.findOpened(id);
        if (stream != null) {
            progress();
            session.failed(stream, SharedFailure.ended("stream reset", Http2Error.name(code)));
        }
    }

    @Override
    public void setting(int key, long value) throws Http2Exception {
        Http2Settings.check(key, value);
        if (key == Http2Settings.MAX_CONCURRENT_STREAMS) {
            streams.limit(value);
        } else if (key == Http2Settings.INITIAL_WINDOW_SIZE) {
            uploads.firstWindow((int) value, streams.all());
        }
    }

    @Override
    public void settingsEnd() {
        out.settingsAck();
        session.settingsCame();
    }

    @Override
    public void ping(long content) {
        out.pingAck(content);
    }

    @Override
    public void goAway(int lastStream, long code) {
        session.goAway(lastStream, code);
    }

    @Override
    public void window(int id, int more) throws Http2Exception {
        Http2Stream stream = id == 0 ? null : streams.findOpened(id);
        if (more == 0) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
        }
        if (id == 0 || stream != null) {
            uploads.widen(stream, more);
        }
        session.resumeUploads();
        if (uploads.haveSent()) {
            progress();
        }
    }
}
