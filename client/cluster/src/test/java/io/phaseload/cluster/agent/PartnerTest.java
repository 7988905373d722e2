package io.phaseload.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.clock.ClockExchange;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** What is asked, sent and heard of another agent, in turns. */
class PartnerTest {

    private static final int MOST = 5;
    private static final Address THERE = UUID.randomUUID();
    private static final byte[] MESSAGE = {7};

    private final Partner partner = new Partner("two", MOST);

    @Test
    void whoAnswersNoneOfTooManyQuestionsIsSilent() {
        partner.found(THERE);

        assertThat(isSilentAfter(MOST)).isFalse();
        assertThat(partner.isSilent()).isTrue();
    }

    @Test
    void eachAnswerCounts() {
        partner.found(THERE);
        isSilentAfter(MOST);

        partner.answered(new ClockExchange(1, 2, 3, 4));

        assertThat(isSilentAfter(MOST)).isFalse();
    }

    /** Nobody asked it before. */
    @Test
    void whoComesLateHasAsManyQuestionsAsOthers() {
        assertThat(isSilentAfter(MOST)).isFalse();

        partner.found(THERE);

        assertThat(isSilentAfter(MOST)).isFalse();
        assertThat(partner.isSilent()).isTrue();
    }

    @Test
    void whoNeverComesIsSilent() {
        assertThat(isSilentAfter(MOST + 1)).isTrue();
    }

    @Test
    void whatIsSentWaitsUntilItIsFoundAndIsSentOnce() {
        assertThat(partner.send(MESSAGE)).isEmpty();

        assertThat(partner.found(THERE)).containsExactly(MESSAGE);
        assertThat(partner.found(THERE)).isEmpty();
        assertThat(partner.send(MESSAGE)).contains(THERE);
    }

    @Test
    void whatItSaysWaitsUntilItsClockIsKnown() {
        assertThat(partner.isReceived(MESSAGE)).isFalse();

        assertThat(partner.answered(new ClockExchange(1, 2, 3, 4))).containsExactly(MESSAGE);
        assertThat(partner.isReceived(MESSAGE)).isTrue();
    }

    @Test
    void nothingWaitsForOneThatIsGone() {
        partner.send(MESSAGE);
        partner.isReceived(MESSAGE);

        assertThat(partner.lose()).isTrue();
        assertThat(partner.lose()).isFalse();

        assertThat(partner.isMissing()).isFalse();
        assertThat(partner.send(MESSAGE)).isEmpty();
        assertThat(partner.found(THERE)).isEmpty();
        assertThat(partner.answered(new ClockExchange(1, 2, 3, 4))).isEmpty();
    }

    @Test
    void nothingIsSentToOneThatIsGone() {
        partner.found(THERE);

        partner.lose();

        assertThat(partner.send(MESSAGE)).isEmpty();
        assertThat(partner.address()).isEmpty();
    }

    /** Whether the last of so many turns found it silent. */
    private boolean isSilentAfter(int turns) {
        return IntStream.range(0, turns).mapToObj(turn -> partner.isSilent()).reduce(false, (before, last) -> last);
    }
}
