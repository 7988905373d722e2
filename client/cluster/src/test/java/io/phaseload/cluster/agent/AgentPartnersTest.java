package io.phaseload.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.RealCluster;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import io.phaseload.run.Partners;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.JsonNodeFactory;

/** Agents that give each other up. */
@Tag("slow")
@Timeout(60)
class AgentPartnersTest extends RealCluster {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final BlockingQueue<Message> toCoordinator = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> pings = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    /** The other one is there, but never answers. */
    @Test
    void anAgentThatGivesUpAnotherOneTellsTheCoordinator() throws Exception {
        try (Link one = join("one", new Deaf());
                Link two = join("two", new Deaf());
                AgentPartners partners = partners(one, two, TimeUnit.MILLISECONDS.toNanos(20))) {
            partners.listen(new Listener());

            assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo("1 is gone");
            assertThat(toCoordinator.poll(30, TimeUnit.SECONDS))
                    .isEqualTo(new Message.GaveUp("r", Link.id(two.self())));
            // However short the patience is.
            for (int i = 0; i < 5; i++) {
                assertThat(pings.poll(30, TimeUnit.SECONDS)).isNotNull();
            }
        }
    }

    @Test
    void anAgentThatNeverComesIntoTheViewIsGivenUp() throws Exception {
        String nobody = Link.id(UUID.randomUUID());
        try (Link one = join("one", new Deaf());
                AgentPartners partners = partners(one, nobody, TimeUnit.MILLISECONDS.toNanos(20))) {
            partners.listen(new Listener());
            partners.send(1, new byte[] {7});

            assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo("1 is gone");
            assertThat(toCoordinator.poll(30, TimeUnit.SECONDS)).isEqualTo(new Message.GaveUp("r", nobody));
        }
    }

    /** It asks twenty times at once, then five times a second: 15 may stay without an answer. */
    @Test
    void anAgentThatAnswersIsNotGivenUp() throws Exception {
        try (Link one = join("one", new Deaf());
                Link two = join("two", new Deaf());
                AgentPartners own = partners(one, two, TimeUnit.SECONDS.toNanos(6))) {
            own.listen(new Listener());
            for (int i = 0; i < 40; i++) {
                long next = pings.poll(30, TimeUnit.SECONDS);
                own.received(two.self(), new Message.ClockPong(next, 2, 3, 0, 0, Optional.empty()), next);
            }
        }

        assertThat(received).isEmpty();
        assertThat(toCoordinator).isEmpty();
    }

    /** It needn't wait until it finds that out itself, and says nothing of it to anybody. */
    @Test
    void anAgentThatIsGivenUpHearsNoMoreOfTheOtherOne() throws Exception {
        try (Link one = join("one", new Deaf());
                Link two = join("two", new Deaf());
                AgentPartners partners = partners(one, two, MINUTE)) {
            partners.listen(new Listener());
            Address there = two.self();
            partners.received(there, new Message.ClockPong(1, 2, 3, 0, 0, Optional.empty()), 4);
            partners.received(there, new Message.PartnerBytes("r", new byte[] {7}));

            partners.gaveUp(Link.id(there));
            partners.gaveUp(Link.id(there));
            partners.received(there, new Message.PartnerBytes("r", new byte[] {8}));

            assertThat(received).containsExactly("1 says 7", "1 is gone");
            assertThat(partners.known()).isCompleted();
            assertThat(toCoordinator).isEmpty();
        }
    }

    /** Its answer would have let it be heard what it said before. */
    @Test
    void nothingComesOfAnAgentThatIsGone() throws Exception {
        try (Link one = join("one", new Deaf());
                Link two = join("two", new Deaf());
                AgentPartners partners = partners(one, two, MINUTE)) {
            partners.listen(new Listener());
            Address there = two.self();
            partners.received(there, new Message.PartnerBytes("r", new byte[] {7}));

            partners.gaveUp(Link.id(there));
            partners.received(there, new Message.ClockPong(1, 2, 3, 0, 0, Optional.empty()), 4);

            assertThat(received).containsExactly("1 is gone");
        }
    }

    /** Whoever converts them may hold a lock that the listener waits for. */
    @Test
    void timesAreConvertedWhileTheListenerIsTold() throws Exception {
        try (Link one = join("one", new Deaf());
                Link two = join("two", new Deaf());
                AgentPartners partners = partners(one, two, MINUTE)) {
            CompletableFuture<Boolean> converted = new CompletableFuture<>();
            partners.listen(new Partners.Listener() {
                @Override
                public void received(int partner, byte[] message) {
                    converted.complete(CompletableFuture.supplyAsync(() -> partners.here(1, 5))
                            .orTimeout(10, TimeUnit.SECONDS)
                            .handle((time, failure) -> time != null)
                            .join());
                }

                @Override
                public void gone(int partner) {}
            });
            Address there = two.self();
            partners.received(there, new Message.ClockPong(1, 2, 3, 0, 0, Optional.empty()), 4);
            partners.received(there, new Message.PartnerBytes("r", new byte[] {7}));

            assertThat(converted).isCompletedWithValue(true);
        }
    }

    private AgentPartners partners(Link one, Link two, long patience) {
        return partners(one, Link.id(two.self()), patience);
    }

    private AgentPartners partners(Link one, String two, long patience) {
        Message.RunOrder order = new Message.RunOrder(
                "r",
                JsonNodeFactory.instance.objectNode(),
                Map.of(),
                List.of(),
                patience,
                List.of(new Message.Dealt("one", Link.id(one.self()), "1/2"), new Message.Dealt("two", two, "2/2")));
        return new AgentPartners(order, "one", toCoordinator::add, new AgentClock(0), one);
    }

    private final class Listener implements Partners.Listener {

        @Override
        public void received(int partner, byte[] message) {
            received.add(partner + " says " + message[0]);
        }

        @Override
        public void gone(int partner) {
            received.add(partner + " is gone");
        }
    }

    /** Answers nothing. */
    private final class Deaf implements Link.MessageHandler {

        @Override
        public void received(Address from, Message message, long at) {
            if (message instanceof Message.ClockPing ping) {
                pings.add(ping.sent());
            }
        }

        @Override
        public void gone(Address member, boolean ended) {}
    }
}
