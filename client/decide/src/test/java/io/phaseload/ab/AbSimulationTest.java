package io.phaseload.ab;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.ab.MadeUpMachine.Disturbance;
import io.phaseload.stats.Effect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Whole comparisons, which stop as soon as they are decided, with known effects on machines that disturb them. */
class AbSimulationTest {

    private static final int TIMES = 300;
    private static final int BLOCKS = 20;

    private static final AbSettings SETTINGS =
            new AbSettings(5, 0.1, 600, 1, List.of("p50", "p95", "p99", "throughput", "failed"));

    private static final double[] LEVELS = levels();

    private static double[] levels() {
        RepeatedLooks looks = new RepeatedLooks(SETTINGS.errorOfFigure());
        double[] levels = new double[BLOCKS + 1];
        for (int n = 1; n <= BLOCKS; n++) {
            levels[n] = looks.look(n, (double) n / BLOCKS);
        }
        return levels;
    }

    /** Many comparisons with the same effect, in percent of them. */
    private record Outcomes(
            Disturbance disturbance,
            double effect,
            double covered,
            double different,
            double regressions,
            double cleared,
            double controls,
            int blocks) {

        static Outcomes of(Disturbance disturbance, double effect) {
            List<Judgement> all = new ArrayList<>();
            for (int i = 0; i < TIMES; i++) {
                all.add(judged(new MadeUpMachine(disturbance, effect, i), i));
            }
            return new Outcomes(
                    disturbance,
                    effect,
                    percent(all, judged -> judged.effects().stream().allMatch(of -> covers(of, effect))),
                    percent(
                            all,
                            judged -> judged.outcome() != Outcome.CONTROL_MOVED
                                    && !judged.changed().isEmpty()),
                    percent(all, judged -> judged.outcome() == Outcome.REGRESSION),
                    percent(all, judged -> judged.outcome() == Outcome.NO_REGRESSION),
                    percent(all, judged -> judged.outcome() == Outcome.CONTROL_MOVED),
                    all.stream().mapToInt(Judgement::blocks).sorted().toArray()[TIMES / 2]);
        }

        private static Judgement judged(MadeUpMachine machine, long seed) {
            List<AbRun> runs = new ArrayList<>();
            for (int block = 1; ; block++) {
                runs.addAll(machine.block(seed, block));
                Judgement judgement = Judgement.of(runs, SETTINGS, LEVELS[block]);
                if (block == BLOCKS
                        || judgement.outcome().isConclusion()
                        || judgement.outcome() == Outcome.CONTROL_MOVED) {
                    return judgement;
                }
            }
        }

        private static boolean covers(FigureEffect of, double effect) {
            double truth =
                    switch (of.figure()) {
                        case FAILED -> 0;
                        case THROUGHPUT -> 1 / (1 + effect) - 1;
                        default -> effect;
                    };
            Effect found = of.effect().orElseThrow();
            return found.low() <= truth && truth <= found.high();
        }

        private static double percent(List<Judgement> all, Predicate<Judgement> wanted) {
            return 100.0 * all.stream().filter(wanted).count() / TIMES;
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %.0f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %d |\n",
                    disturbance.words(),
                    100 * effect,
                    covered,
                    different,
                    regressions,
                    cleared,
                    controls,
                    6 * blocks);
        }
    }

    @Test
    void intervalsContainTheTruthAndNoEffectIsRarelyCalledOne() throws IOException {
        StringBuilder table = new StringBuilder(
                "| runs differ by | B is slower by | intervals right | B differs | regression | none | control moved |"
                        + " runs |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
        for (Disturbance disturbance : Disturbance.values()) {
            for (double effect : new double[] {0, 0.03, 0.1}) {
                Outcomes outcomes = Outcomes.of(disturbance, effect);
                assertThat(outcomes.covered()).as(outcomes.toString()).isGreaterThanOrEqualTo(95);
                assertThat(outcomes.controls()).as(outcomes.toString()).isLessThanOrEqualTo(5);
                if (effect < 0.05) {
                    assertThat(outcomes.regressions()).as(outcomes.toString()).isLessThanOrEqualTo(5);
                } else {
                    assertThat(outcomes.cleared()).as(outcomes.toString()).isLessThanOrEqualTo(5);
                }
                if (effect == 0) {
                    assertThat(outcomes.different()).as(outcomes.toString()).isLessThanOrEqualTo(5);
                }
                table.append(outcomes.row());
            }
        }
        assertIsInPage(table.toString());
    }

    /** {@code -Dgolden.update=true} writes it there. */
    private static void assertIsInPage(String table) throws IOException {
        Path page = Path.of("..", "..", "docs", "ab.md");
        String text = Files.readString(page);
        int from = text.indexOf("| runs differ by |");
        int to = text.indexOf("\n\n", from) + 1;
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(page, text.substring(0, from) + table + text.substring(to));
        }
        assertThat(Files.readString(page)).contains(table);
    }
}
