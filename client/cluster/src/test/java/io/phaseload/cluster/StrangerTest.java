package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.cluster.agent.ClusterAgent;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.network.Network;
import io.phaseload.cluster.wire.Message;
import io.phaseload.plan.PhaseLength;
import io.phaseload.result.Environment;
import io.phaseload.run.RunListener;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who joins a coordinator, or pretends to be one, and may not. */
@Timeout(120)
class StrangerTest extends RealCluster {

    @Test
    void theTunnelLetsNobodyInWithAnotherSecret() throws Exception {
        network = Network.TUNNEL;
        coordinator.close();
        coordinator = open(ACCESS);

        nobodyJoinsWithAnotherSecret();
    }

    @Test
    void anotherVersionIsRefusedAndSoIsWhatNoAgentSays() throws Exception {
        BlockingQueue<String> why = new LinkedBlockingQueue<>();
        try (Link old = join("old", new Link.MessageHandler() {
            @Override
            public void received(Address from, Message message, long at) {
                if (message instanceof Message.Refused refused) {
                    why.add(refused.why());
                }
            }

            @Override
            public void gone(Address member, boolean ended) {}
        })) {
            old.send(old.coordinator(), new Message.Hello("0.0.1", "old", 1, "here"));
            String current = Environment.currentVersion();
            old.send(old.coordinator(), new Message.Hello(current, "old", 0, "here"));
            old.send(old.coordinator(), new Message.Hello(current, "\u001b[2J", 1, "here"));
            Future<List<String>> waiting = threads.submit(() -> coordinator.await(1, PATIENCE, told::add));

            assertThat(why.poll(30, TimeUnit.SECONDS)).startsWith("it has version 0.0.1, the coordinator has ");
            assertThat(why.poll(30, TimeUnit.SECONDS)).startsWith("weight 0: expected");
            assertThat(why.poll(30, TimeUnit.SECONDS)).startsWith("name ");
            old.send(old.coordinator(), new Message.Hello(current, "old", 1, "\u001b[2J\u009b2J"));
            assertThat(waiting.get(30, TimeUnit.SECONDS)).containsExactly("old");
            assertThat(told).contains("old (\\x1b[2J\\x9b2J)");
        }
    }

    /** The coordinator has no tunnel, so it gives the agent no answer. */
    @Test
    @Tag("slow")
    void anAgentThatGetsNoAnswerSaysSo() throws Exception {
        network = Network.TUNNEL;
        agent("one", 1, ACCESS);

        assertThat(notJoined.poll(60, TimeUnit.SECONDS))
                .isEqualTo(Link.text(coordinator.address()) + ": no coordinator answers");
    }

    @Test
    void nobodyJoinsWithAnotherSecret() throws Exception {
        Future<?> stranger = agent("one", 1, STRANGER);

        assertThat(notJoined.poll(60, TimeUnit.SECONDS))
                .isEqualTo(Link.text(coordinator.address()) + ": the coordinator has another secret or other keys");
        assertThat(coordinator.await(1, Duration.ofSeconds(1), told::add)).isEmpty();
        // It tries again, and doesn't repeat it.
        assertThat(stranger).isNotDone();
        assertThat(notJoined).isEmpty();
    }

    /** Any process of this machine can listen where a coordinator will. */
    @Test
    void anImpostorEndsNoAgent() throws Exception {
        InetSocketAddress at = coordinator.address();
        coordinator.close();
        Future<?> agent;
        try (Coordinator impostor = Coordinator.open(at, network, STRANGER)) {
            agent = agent("one", 1, ACCESS);
            assertThat(notJoined.poll(60, TimeUnit.SECONDS)).contains("another secret");
        }
        coordinator = Coordinator.open(at, network, ACCESS);

        run(plan(1, new PhaseLength.Iterations(1)), 1, RunListener.NONE);
        agent.get(30, TimeUnit.SECONDS);
    }

    /** The first Ctrl-C ends an agent in whatever it waits for. */
    @Test
    void anAgentIsClosedWhileAnImpostorHoldsItsHandshake() throws Exception {
        try (ServerSocket impostor = new ServerSocket(0, 1, HERE)) {
            ClusterAgent agent = newAgentOf((InetSocketAddress) impostor.getLocalSocketAddress());
            Future<?> running = threads.submit(() -> {
                agent.run();
                return null;
            });
            try (Socket held = impostor.accept()) {
                held.getInputStream().read();
                agent.close();

                running.get(30, TimeUnit.SECONDS);
                // It hasn't ended because the handshake took too long.
                held.setSoTimeout(100);
                assertThatThrownBy(() -> held.getInputStream().transferTo(OutputStream.nullOutputStream()))
                        .isInstanceOf(SocketTimeoutException.class);
            }
        }
    }

    @Test
    void aNameIsOnlyTakenOnce() throws Exception {
        agent("one", 1, ACCESS);
        coordinator.await(1, PATIENCE, told::add);
        ClusterAgent again = newAgent("one", 1, ACCESS);
        Future<List<String>> waiting = threads.submit(() -> coordinator.await(2, PATIENCE, told::add));

        assertThatThrownBy(again::run).hasMessageContaining("there is another agent with the name one");
        coordinator.wake();
        waiting.get(30, TimeUnit.SECONDS);
    }
}
