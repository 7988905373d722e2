package io.phaseload.plan.connection;

import io.phaseload.input.Limit;
import java.util.OptionalInt;

/**
 * How large the buffers of a connection's socket are asked to be, in bytes. The system may choose another size: Linux
 * doubles it for its own needs, up to {@code net.core.rmem_max} and {@code net.core.wmem_max}.
 *
 * @param receive for what arrives; empty for the system's choice, which grows as needed
 * @param send for what is sent; empty for the system's choice, which grows as needed
 */
public record SocketBuffers(OptionalInt receive, OptionalInt send) {

    /** The system chooses. */
    public static final SocketBuffers OF_SYSTEM = new SocketBuffers(OptionalInt.empty(), OptionalInt.empty());

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException naming the one that is out of range
     */
    public SocketBuffers {
        receive.ifPresent(Limit.RECEIVE_BUFFER::check);
        send.ifPresent(Limit.SEND_BUFFER::check);
    }
}
