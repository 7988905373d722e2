package io.phaseload.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.diagnosis.statistics.Chance;
import org.junit.jupiter.api.Test;

class FactsTest {

    private static final int RUNS = 30;

    @Test
    void slowResponsesAtRandomAreAssociatedWithNothing() {
        for (int seed = 0; seed < RUNS; seed++) {
            RandomPhase phase = new RandomPhase(seed);
            Facts facts = phase.facts(of -> phase.chance(0.2) ? 40 : 4);

            Cases slow = facts.slow();
            assertThat(slow.share()).isCloseTo(0.2, within(0.05));
            assertThat(slow.byTime().explains(0.05)).as("%s", slow.byTime()).isFalse();
            assertThat(slow.byUser().explains(0.05)).as("%s", slow.byUser()).isFalse();
            assertThat(slow.bySize().explains(0.05)).as("%s", slow.bySize()).isFalse();
        }
    }

    /** Its usual part isn't slowness. */
    @Test
    void slowResponsesTakeThePartByWhichTheyAreLonger() {
        RandomPhase phase = new RandomPhase(1);
        Facts facts = phase.facts(of -> phase.chance(0.2) ? 40 : 4);
        double share = facts.slow().share();

        assertThat(facts.slowPart()).isCloseTo(share * (40 - 4) / (share * 40 + (1 - share) * 4), within(0.01));
    }

    @Test
    void whatDecidesIsFound() {
        for (int seed = 0; seed < RUNS; seed++) {
            assertThat(new RandomPhase(seed)
                            .facts(of -> of.user() % 3 == 0 ? 60 : 4)
                            .slow())
                    .satisfies(slow -> assertThat(slow.byUser().explained()).isGreaterThan(0.9))
                    .satisfies(
                            slow -> assertThat(slow.byConnection().explained()).isGreaterThan(0.9))
                    .satisfies(slow -> assertThat(slow.byTime().explains(0.3)).isFalse());
            assertThat(new RandomPhase(seed)
                            .facts(of -> of.place() % 20 == 0 ? 30 : 3)
                            .slow())
                    .satisfies(slow -> assertThat(slow.byNew().explains(0.1)).isFalse());
            assertThat(new RandomPhase(seed)
                            .facts(of -> of.bytes() > 5_000 ? 30 : 3)
                            .slow())
                    .satisfies(slow -> assertThat(slow.bySize().explained()).isGreaterThan(0.8));
        }
    }

    @Test
    void stallsAreEpisodesOfPureSlowness() {
        for (int seed = 0; seed < RUNS; seed++) {
            Facts facts = new RandomPhase(seed).stalling(1_700, 300, 2);

            assertThat(facts.slow().byTime().explained()).isGreaterThan(0.4);
            assertThat(facts.slow().episodes()).hasSizeBetween(5, 7);
            assertThat(facts.slow().episodes()).allMatch(of -> of.purity() > 0.7);
        }
    }

    /** Against a table: R's pchisq(…, lower.tail = FALSE). */
    @Test
    void chancesAreThoseOfTables() {
        assertThat(Chance.ofChiSquare(3.841, 1)).isCloseTo(0.05, within(0.005));
        assertThat(Chance.ofChiSquare(18.307, 10)).isCloseTo(0.05, within(0.001));
        assertThat(Chance.ofChiSquare(149.449, 100)).isCloseTo(0.001, within(0.0001));
        assertThat(Chance.ofChiSquare(70, 100)).isCloseTo(0.990, within(0.001));
    }

    @Test
    void aTimerIsASpike() {
        RandomPhase phase = new RandomPhase(1);
        assertThat(phase.facts(of -> phase.chance(0.3) ? 205 : 5).slow().spike().isFixed())
                .isTrue();
        RandomPhase spread = new RandomPhase(2);
        assertThat(spread.facts(of -> spread.chance(0.3) ? 100 + 300 * spread.uniform() : 5)
                        .slow()
                        .spike()
                        .isFixed())
                .isFalse();
    }
}
