package io.phaseload.events.connection;

import io.netty.channel.socket.DuplexChannel;
import io.phaseload.host.TcpConnection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The channels of one loop that are open. Used by the loop's thread alone. */
final class OpenChannels {

    /** A look is a system call, which takes the loop about a microsecond. */
    private static final int MOST_ASKED = 4;

    private final Transport transport;
    // Those that were asked last are at the end.
    private final Set<DuplexChannel> channels = new LinkedHashSet<>();

    OpenChannels(Transport transport) {
        this.transport = transport;
    }

    void add(DuplexChannel channel) {
        channels.add(channel);
        channel.closeFuture().addListener(closed -> channels.remove(channel));
    }

    /** How the next few are, in turn; none where the transport doesn't tell. */
    List<TcpConnection> ask() {
        List<DuplexChannel> asked = new ArrayList<>();
        Iterator<DuplexChannel> next = channels.iterator();
        while (next.hasNext() && asked.size() < MOST_ASKED) {
            asked.add(next.next());
            next.remove();
        }
        channels.addAll(asked);
        List<TcpConnection> inspected = new ArrayList<>();
        asked.forEach(channel -> transport.inspect(channel).ifPresent(inspected::add));
        return inspected;
    }
}
