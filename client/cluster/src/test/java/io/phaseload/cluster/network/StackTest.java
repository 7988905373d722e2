package io.phaseload.cluster.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jgroups.JChannel;
import org.junit.jupiter.api.Test;

class StackTest {

    /** JGroups would answer any process about its members and settings. */
    @Test
    void diagnosticsAreOff() throws Exception {
        Identity identity = Identity.of(new ClusterAccess("a secret of the tests", Optional.empty()), Role.NODE);
        Mesh mesh = Mesh.of(InetAddress.getLoopbackAddress(), 0, List.of(), identity, Commands.none());
        Stack stack = new Stack(mesh);
        try (JChannel channel = stack.channel(1)) {
            stack.connect(channel, "nobody", "one");

            assertThat(mesh.protocol().getDiagnosticsHandler().isEnabled()).isFalse();
        }
    }
}
