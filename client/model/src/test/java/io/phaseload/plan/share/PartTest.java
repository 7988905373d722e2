package io.phaseload.plan.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which users a client has that shares a plan with others. */
class PartTest {

    @Test
    void usersAreDealtInTurns() {
        Part part = Part.parse("1,3/4");

        assertThat(part).isEqualTo(new Part(List.of(0, 2), 4)).hasToString("1,3/4");
        assertThat(IntStream.range(0, 5).map(part::user)).containsExactly(0, 2, 4, 6, 8);
        assertThat(IntStream.range(0, 10).filter(part::has)).containsExactly(0, 2, 4, 6, 8);
        assertThat(IntStream.rangeClosed(0, 5).mapToLong(part::count)).containsExactly(0L, 1L, 1L, 2L, 2L, 3L);
        assertThat(part.isWhole()).isFalse();
        assertThat(Part.parse("1,2/2").isWhole()).isTrue();
    }

    @Test
    void aPhaseCanHaveNoUserHere() {
        Plan plan = Plan.builder(URI.create("http://localhost/")).threads(10).build();
        Phase warmup = plan.phases().get(0);

        assertThat(plan.withPart(Part.parse("1/3")).users(warmup)).isEqualTo(1);
        assertThat(plan.withPart(Part.parse("3/3")).users(warmup)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "1/", "a/2", "1/2/3", "1;2/3", "-1/2"})
    void otherTextsAreRefused(String text) {
        assertThatThrownBy(() -> Part.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a part such as 2/3, or 1,3/4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/3", "4/3", "2,1/3", "1,1/3"})
    void turnsAreInRangeAndInOrder(String text) {
        assertThatThrownBy(() -> Part.parse(text)).hasMessage("part " + text + ": expected turns of 1 to 3, ascending");
    }
}
