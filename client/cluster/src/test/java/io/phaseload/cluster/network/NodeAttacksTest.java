package io.phaseload.cluster.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.Attacker;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes without the secret neither join, nor read, nor send messages to nodes, nor keep others out. */
@Timeout(60)
class NodeAttacksTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final InetSocketAddress FREE = new InetSocketAddress(HERE, 0);
    private static final ClusterAccess ACCESS = new ClusterAccess("a secret of the tests", Optional.empty());

    @Test
    void nodesAreClosed() throws Exception {
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        try (Node first = Node.join(FREE, List.of(), ACCESS, count -> {})) {
            first.receive(received::add);
            InetSocketAddress at = first.address();
            Attacker.garbage(at);
            List<Socket> silent = Attacker.silent(at, 300);
            try (Node second = Node.join(FREE, List.of(at), ACCESS, count -> {});
                    Attacker attacker = Attacker.on(HERE, "phaseload-nodes", at)) {
                Address own = address(first);
                attacker.knows(own, at);
                assertThat(attacker.members()).isEmpty();
                attacker.forge(address(second), own, new byte[] {1});

                second.send(new byte[] {2});
                assertThat(received.poll(30, TimeUnit.SECONDS)).containsExactly(2);
                assertThat(first.others()).isEqualTo(1);
                assertThat(attacker.received).isEmpty();
            }
            for (Socket socket : silent) {
                socket.close();
            }
        }
        assertThat(received).isEmpty();
    }

    private static Address address(Node of) throws ReflectiveOperationException {
        Field channel = Node.class.getDeclaredField("channel");
        channel.setAccessible(true);
        return ((JChannel) channel.get(of)).getAddress();
    }
}
