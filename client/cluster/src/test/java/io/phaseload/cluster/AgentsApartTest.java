package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import io.phaseload.plan.PhaseLength;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jgroups.Address;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Agents that reach the coordinator, but not each other. */
@Tag("slow")
@Timeout(60)
class AgentsApartTest extends RealCluster {

    private final BlockingQueue<Message> given = new LinkedBlockingQueue<>();

    @Test
    void bothSaySoButPeopleAreToldOnce() throws Exception {
        Loner one = new Loner();
        Loner two = new Loner();
        one.join("one");
        two.join("two");

        assertThatThrownBy(() -> run(plan(2, new PhaseLength.Iterations(1)), 2, RunListener.NONE))
                .isInstanceOf(IOException.class);
        one.own.join().close();
        two.own.join().close();

        assertThat(told)
                .filteredOn(line -> line.contains("couldn't reach agent"))
                .singleElement()
                .asString()
                .matches("agent (one|two) couldn't reach agent (one|two) for too long: messages between them are lost");
        assertThat(given).hasSizeLessThanOrEqualTo(1);
    }

    /** Gives up all others when a run begins, and fails when it is to start. */
    private final class Loner implements Link.MessageHandler {

        private final CompletableFuture<Link> own = new CompletableFuture<>();

        void join(String name) throws Exception {
            own.complete(AgentsApartTest.this.join(name, this));
            hello(own.join(), name);
        }

        @Override
        public void received(Address from, Message message, long at) {
            Link link = own.join();
            if (message instanceof Message.ClockPing ping) {
                link.send(from, new Message.ClockPong(ping.sent(), at, at, 0, 0, Optional.empty()));
            } else if (message instanceof Message.RunOrder order) {
                order.agents().stream()
                        .map(Message.Dealt::id)
                        .filter(id -> !id.equals(Link.id(link.self())))
                        .forEach(id -> link.send(from, new Message.GaveUp(order.run(), id)));
                link.send(from, new Message.Ready(order.run(), "warmup"));
            } else if (message instanceof Message.StartPhase start) {
                link.send(from, new Message.Failed(start.run(), "it is alone"));
            } else if (message instanceof Message.GaveUp) {
                given.add(message);
            }
        }

        @Override
        public void gone(Address member, boolean ended) {}
    }
}
