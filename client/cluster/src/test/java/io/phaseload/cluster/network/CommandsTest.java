package io.phaseload.cluster.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.MessageForm;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandsTest {

    private static final Message STOP = new Message.Stop("r");

    private final Address agent = UUID.randomUUID();
    private Commands coordinator;
    private Commands own;

    @BeforeEach
    void greet() throws Exception {
        KeyPair pair = pair();
        coordinator = Commands.signedBy(pair.getPrivate());
        own = Commands.checkedBy(pair.getPublic());
    }

    private static KeyPair pair() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    @Test
    void anAgentObeysEachCommandOnce() {
        byte[] first = coordinator.write(agent, STOP);
        byte[] second = coordinator.write(agent, STOP);

        assertThat(read(first)).contains(STOP);
        assertThat(read(second)).contains(STOP);
        assertThat(read(second)).isEmpty();
        assertThat(read(first)).isEmpty();
    }

    @Test
    void aCommandToAnotherAgentIsNone() {
        assertThat(read(coordinator.write(UUID.randomUUID(), STOP))).isEmpty();
    }

    @Test
    void othersCannotCommand() throws Exception {
        assertThat(read(MessageForm.write(STOP))).isEmpty();
        assertThat(read(own.write(agent, STOP))).isEmpty();
        assertThat(read(Commands.signedBy(pair().getPrivate()).write(agent, STOP)))
                .isEmpty();
    }

    @Test
    void aCommandThatIsChangedIsNone() {
        byte[] stop = coordinator.write(agent, STOP);
        for (int i = 0; i < stop.length; i++) {
            byte[] changed = stop.clone();
            changed[i] ^= 1;
            try {
                assertThat(read(changed)).isEmpty();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("no message");
            }
        }
        for (int length = 0; length < stop.length; length++) {
            byte[] cut = Arrays.copyOf(stop, length);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(read(stop)).contains(STOP);
    }

    /** Agents send them to each other and to the coordinator. */
    @Test
    void otherMessagesNeedNoSignature() {
        Message ping = new Message.ClockPing(1);
        assertThat(read(own.write(agent, ping))).contains(ping);
        assertThat(read(coordinator.write(agent, ping))).contains(ping);
        byte[] ready = own.write(agent, new Message.Ready("r", "peak"));
        assertThat(coordinator.read(agent, ready, 0, ready.length)).contains(new Message.Ready("r", "peak"));
    }

    private Optional<Message> read(byte[] bytes) {
        // As it is in a buffer.
        byte[] within = new byte[bytes.length + 2];
        System.arraycopy(bytes, 0, within, 1, bytes.length);
        return own.read(agent, within, 1, bytes.length);
    }
}
