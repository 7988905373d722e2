package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.Greeting;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.network.Network;
import io.phaseload.cluster.network.UnansweredException;
import io.phaseload.cluster.network.UntrustedException;
import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.MessageForm;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Environment;
import io.phaseload.run.RunListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.PublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Processes without the secret neither join, nor read, nor command a cluster. */
@Timeout(120)
class AttacksTest extends RealCluster {

    private static final Duration BRIEF = Duration.ofMillis(500);

    private ClusterAccess agents = ACCESS;

    @ParameterizedTest
    @EnumSource(Network.class)
    void theSecretIsNeededForAll(Network over) throws Exception {
        reopen(over, ACCESS);
        everyAttack();
    }

    @Test
    void andSoAreKeysIfThereAreAny() throws Exception {
        ClusterAccess[] own = keys();
        agents = own[1];
        reopen(Network.MESH, own[0]);
        everyAttack();
        assertThatThrownBy(() ->
                        Greeting.with(new ClusterAccess(own[1].secret(), Optional.empty()), coordinator.address()))
                .isInstanceOf(UntrustedException.class)
                .hasMessage("the coordinator has another secret or other keys");
        assertThatThrownBy(() -> open(own[1])).hasMessageEndingWith("expected coordinator.p12");
    }

    private void everyAttack() throws Exception {
        spy();
        assertThatThrownBy(() -> Greeting.with(STRANGER, coordinator.address())).isInstanceOf(UntrustedException.class);
        // More than may be pending.
        List<Socket> silent = Attacker.silent(coordinator.address(), 1_000);
        try {
            agent("one", 1, agents);
            assertThat(coordinator.await(1, PATIENCE, told::add)).hasSize(1);
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().equals("cluster-handshake")))
                    .hasSizeLessThan(300);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
        try (Attacker attacker = attacker()) {
            Address agent = coordinator.members().get(0).address();
            if (channel(coordinator).down(new org.jgroups.Event(org.jgroups.Event.GET_PHYSICAL_ADDRESS, agent))
                    instanceof IpAddress at) {
                attacker.knows(agent, new InetSocketAddress(at.getIpAddress(), at.getPort()));
            }
            forge(attacker::forge);
        }
        Greeting greeting = Greeting.with(agents, coordinator.address()).orElseThrow();
        try (Link member = Link.join("member", network.join(HERE, greeting, agents), new Silent())) {
            JChannel own = channel(member);
            forge((from, to, bytes) -> Attacker.forge(own, from, to, bytes));
        }
        runUnderAttack();
    }

    private void spy() throws Exception {
        JChannel own = channel(coordinator);
        try (Attacker spy = attacker()) {
            spy.knows(own.getAddress(), coordinator.address());

            assertThat(spy.members()).isEmpty();
            spy.send(own.getAddress(), new Message.Hello(Environment.currentVersion(), "spy", 1, "here"));

            assertThat(coordinator.await(1, BRIEF, told::add)).isEmpty();
            assertThat(spy.received).isEmpty();
        }
    }

    private interface Forger {

        void forge(Address from, Address to, byte[] message) throws Exception;
    }

    /** The order of a run in the coordinator's name, with all that follows. */
    private void forge(Forger attacker) throws Exception {
        Address agent = coordinator.members().get(0).address();
        JsonNode plan = JsonMapper.shared().readTree(PlanFile.toSharedJson(plan(1, new PhaseLength.Iterations(40))));
        Address from = channel(coordinator).getAddress();
        Message.Dealt dealt = new Message.Dealt("one", Link.id(agent), "1/1");
        Message order = new Message.RunOrder("forged", plan, Map.of(), List.of(), BRIEF.toNanos(), List.of(dealt));
        attacker.forge(from, agent, MessageForm.write(order));
        for (int i = 0; i < 5; i++) {
            for (String phase : List.of("warmup", "peak")) {
                attacker.forge(
                        from, agent, MessageForm.write(new Message.StartPhase("forged", phase, System.nanoTime())));
            }
            Optional<Event> answer = coordinator.next(System.nanoTime() + BRIEF.toNanos() / 5);
            assertThat(answer.filter(event -> event instanceof Event.MessageReceived))
                    .isEmpty();
        }
        assertThat(counted).hasValue(0);
    }

    private void runUnderAttack() throws Exception {
        RunListener attack = new RunListener() {
            @Override
            public void phaseStarted(Phase phase, int users) {
                try {
                    Attacker.garbage(coordinator.address());
                    for (Socket socket : Attacker.silent(coordinator.address(), 100)) {
                        socket.close();
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        assertThat(run(plan(2, new PhaseLength.Iterations(30)), 1, attack)
                        .totals()
                        .succeeded())
                .isEqualTo(90);
        assertThat(counted.getAndSet(0)).isEqualTo(90);
    }

    /** All that an agent sent while it joined, sent again once it has left. */
    @Test
    void aJoinThatWasRecordedIsOfNoUse() throws Exception {
        reopen(Network.TUNNEL, ACCESS);
        ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        try (ServerSocket relay = new ServerSocket(0, 1, HERE)) {
            InetSocketAddress at = new InetSocketAddress(HERE, relay.getLocalPort());
            threads.submit(() -> relay(relay.accept(), recorded));
            PublicKey key =
                    Greeting.with(ACCESS, coordinator.address()).orElseThrow().key();
            Link link = Link.join("one", network.join(HERE, new Greeting(at, HERE, key), ACCESS), new Silent());
            hello(link, "one");
            assertThat(coordinator.await(1, PATIENCE, told::add)).containsExactly("one");
            link.close();
        }
        while (!coordinator.await(1, BRIEF.dividedBy(10), told::add).isEmpty()) {
            // It leaves.
        }

        try (Socket socket = new Socket(HERE, coordinator.address().getPort())) {
            synchronized (recorded) {
                recorded.writeTo(socket.getOutputStream());
            }
            assertThat(coordinator.await(1, BRIEF, told::add)).isEmpty();
        }
    }

    private Void relay(Socket agent, ByteArrayOutputStream recorded) throws IOException {
        Socket to = new Socket(HERE, coordinator.address().getPort());
        threads.submit(() -> to.getInputStream().transferTo(agent.getOutputStream()));
        byte[] bytes = new byte[8_192];
        try (InputStream in = agent.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read; (read = in.read(bytes)) >= 0; ) {
                synchronized (recorded) {
                    recorded.write(bytes, 0, read);
                }
                out.write(bytes, 0, read);
            }
        }
        return null;
    }

    /** As this version's predecessors did. */
    @Test
    void aCoordinatorWithoutTlsIsNone() throws Exception {
        TCP transport = new TCP();
        transport.setBindAddress(HERE);
        try (ServerSocket free = new ServerSocket(0, 1, HERE)) {
            transport.setBindPort(free.getLocalPort());
        }
        try (JChannel plain = new JChannel(transport)) {
            plain.connect("phaseload");
            InetSocketAddress at = new InetSocketAddress(HERE, transport.getBindPort());

            assertThatThrownBy(() -> Greeting.with(ACCESS, at)).isInstanceOf(UnansweredException.class);
        }
    }

    @Test
    void aDoorWhereNobodyListensIsNoError() throws Exception {
        InetSocketAddress at = coordinator.address();
        coordinator.close();

        assertThat(Greeting.with(ACCESS, at)).isEmpty();
    }

    private void reopen(Network over, ClusterAccess access) throws Exception {
        coordinator.close();
        network = over;
        coordinator = open(access);
    }

    private Attacker attacker() throws Exception {
        if (network == Network.TUNNEL) {
            return Attacker.at(HERE, coordinator.address());
        }
        return Attacker.on(HERE, "phaseload", coordinator.address());
    }

    private static JChannel channel(Coordinator of) throws Exception {
        Field link = Coordinator.class.getDeclaredField("link");
        link.setAccessible(true);
        return channel((Link) link.get(of));
    }

    private static JChannel channel(Link of) throws Exception {
        Field channel = Link.class.getDeclaredField("channel");
        channel.setAccessible(true);
        return (JChannel) channel.get(of);
    }

    private static final class Silent implements Link.MessageHandler {

        @Override
        public void received(Address from, Message message, long at) {}

        @Override
        public void gone(Address member, boolean ended) {}
    }
}
