package io.phaseload.events.shared;

import io.phaseload.events.connection.LoopContext;
import io.phaseload.plan.engine.Protocol;

/** A protocol that lets a few users share a connection. */
public final class SharedProtocol {

    private SharedProtocol() {}

    /** Creates a connection that isn't open yet. */
    public static SharedConnection newConnection(LoopContext loop, Protocol protocol) {
        if (protocol instanceof Protocol.Http2 http2) {
            return new SharedConnection(
                    loop, (owner, channel, setUp) -> new Http2Session(loop, owner, channel, setUp, http2.windows()));
        }
        PipelineSupport support = new PipelineSupport();
        return new SharedConnection(
                loop, (owner, channel, setUp) -> new Pipeline(loop, owner, channel, setUp, support));
    }
}
