package io.phaseload.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.ClockReading;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import java.util.List;
import java.util.Optional;
import org.jgroups.Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What counts of agents' answers, which may come late. */
@Timeout(60)
class ClockReaderTest extends RealCluster {

    private static final List<ClockExchange> SAME = List.of(new ClockExchange(1, 1, 1, 1));
    private static final int WANTED = 2;

    private Link one;
    private Link two;
    private Member first;
    private Member second;
    private ClockReader reader;

    @BeforeEach
    void twoMembersThatSayNothing() throws Exception {
        one = join("one", new Silent());
        hello(one, "one");
        coordinator.await(1, PATIENCE, told::add);
        two = join("two", new Silent());
        hello(two, "two");
        coordinator.await(2, PATIENCE, told::add);
        first = coordinator.members().get(0);
        second = coordinator.members().get(1);
        reader = new ClockReader(coordinator, "r", System.nanoTime(), told::add);
    }

    @AfterEach
    void leave() {
        one.close();
        two.close();
    }

    @Test
    void whatAnEarlierRunAskedIsNotRead() {
        reader.receive(first, compared("earlier", second), 2);
        reader.receive(first, compared("r", second), 2);
        askBoth();
        reader.askPairs();
        reader.take();

        reader.receive(first, compared("earlier", second), 2);

        assertThat(reader.take()).isEmpty();
        assertThat(reader.areAllCompared()).isFalse();

        reader.receive(first, compared("r", second), 2);

        assertThat(reader.take()).extracting(ClockReading::of).containsExactly("two");
        assertThat(reader.areAllCompared()).isTrue();
    }

    /** It is waited for, and answers the questions of each second. */
    @Test
    void anAgentThatIsBackIsReadOnceAndAskedAgainTheNextTime() {
        first.cutOff();
        reader.askAgents(WANTED);
        first.received(System.nanoTime());
        answer(first);
        answer(second);

        reader.endAgents();

        assertThat(reader.take()).extracting(ClockReading::of).containsExactly("one", "two");

        reader.askAgents(WANTED);

        assertThat(reader.hasAnswered(first)).isFalse();
    }

    private void askBoth() {
        reader.askAgents(WANTED);
        answer(first);
        answer(second);
        reader.endAgents();
    }

    private void answer(Member member) {
        for (int i = 0; i < WANTED; i++) {
            reader.receive(member, new Message.ClockPong(1, 1, 1, 0, 0, Optional.empty()), 1);
        }
    }

    private static Message compared(String run, Member other) {
        return new Message.Compared(run, other.id(), SAME);
    }

    /** Answers nothing. */
    private static final class Silent implements Link.MessageHandler {

        @Override
        public void received(Address from, Message message, long at) {}

        @Override
        public void gone(Address member, boolean ended) {}
    }
}
