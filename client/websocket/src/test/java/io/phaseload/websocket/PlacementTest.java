package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.share.Part;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {

    @Test
    void receiversAreWithTheNextAgentThatIsNotTheSenders() {
        List<Part> parts = List.of(Part.parse("1/3"), Part.parse("2/3"), Part.parse("3/3"));
        Placement placement = new Placement(parts, 1);
        assertThat(receivers(placement, 6)).containsExactly(1, 2, 0, 1, 2, 0);
        assertThat(placement.hosted(6)).containsExactly(0);
        assertThat(placement.hostedReceivers(6)).isEqualTo(2);
        assertThat(placement.hostedReceivers(4)).isEqualTo(2);
        assertThat(new Placement(parts, 0).hosted(2)).isEmpty();
        assertThat(new Placement(parts, 0).hosted(3)).containsExactly(2);
    }

    @Test
    void anAgentWithMostTurnsNeverReceivesWhatItSends() {
        List<Part> parts = List.of(Part.parse("1,2,4/4"), Part.parse("3/4"));
        assertThat(receivers(new Placement(parts, 0), 4)).containsExactly(1, 1, 0, 1);
        assertThat(new Placement(parts, 0).hosted(2)).isEmpty();
        assertThat(new Placement(parts, 1).hostedReceivers(8)).isEqualTo(6);
    }

    @Test
    void oneAgentIsTooFew() {
        assertThatThrownBy(() -> new Placement(List.of(Part.WHOLE), 0))
                .hasMessage("subscribers on other-agent: expected two agents");
    }

    private static List<Integer> receivers(Placement placement, int pairs) {
        return IntStream.range(0, pairs).mapToObj(placement::receivers).toList();
    }
}
