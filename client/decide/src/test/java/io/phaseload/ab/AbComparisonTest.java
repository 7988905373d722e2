package io.phaseload.ab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.ab.MadeUpMachine.Disturbance;
import io.phaseload.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbComparisonTest {

    private static final AbSettings SETTINGS = new AbSettings(5, 0.1, 600, 1, List.of("p50", "p99", "failed"));

    private static AbComparison compared(double effect, int blocks) {
        return compared(effect, blocks, run -> run);
    }

    /** Each block takes 30 s. */
    private static AbComparison compared(double effect, int blocks, UnaryOperator<AbRun> change) {
        MadeUpMachine machine = new MadeUpMachine(Disturbance.QUIET, effect, 1);
        AbComparison comparison = AbComparison.begin(List.of("ab", "x", "y"), "x", "y", SETTINGS);
        for (int block = 1; block <= blocks; block++) {
            for (AbRun run : machine.block(1, block)) {
                comparison = comparison.with(change.apply(run));
            }
            comparison = comparison.look(30 * block);
        }
        return comparison;
    }

    private static AbRun with(AbRun run, AbFigure figure, double factor, Verdict.Status verdict) {
        Map<String, Double> figures = new HashMap<>(run.figures());
        figures.computeIfPresent(figure.key(), (key, value) -> value * factor);
        return new AbRun(
                run.block(),
                run.arm(),
                run.folder(),
                run.startedAt(),
                run.seconds(),
                run.fromSeconds(),
                run.steady(),
                run.requests(),
                run.failed(),
                verdict,
                figures);
    }

    @Test
    void aLargeEffectIsARegressionAndASmallOneIsNot() {
        assertThat(compared(0.2, 6).judgement().outcome()).isEqualTo(Outcome.REGRESSION);
        assertThat(compared(0, 14).judgement().outcome()).isEqualTo(Outcome.NO_REGRESSION);
        assertThat(compared(-0.2, 6).judgement().changed())
                .extracting(FigureEffect::figure)
                .contains(AbFigure.P50);
    }

    @Test
    void theEffectIsThatOnBothRunsOfA() {
        FigureEffect p50 = compared(0.1, 14).judgement().effects().get(0);
        assertThat(p50.figure()).isEqualTo(AbFigure.P50);
        assertThat(p50.b() / p50.a() - 1).isCloseTo(p50.effect().orElseThrow().change(), within(1e-9));
        assertThat(p50.effect().get().change()).isCloseTo(0.1, within(0.01));
        assertThat(p50.control().orElseThrow().change()).isCloseTo(0, within(0.01));
        assertThat(p50.resolution().orElseThrow()).isBetween(0.002, 0.02);
    }

    @Test
    void aControlThatMovesForbidsAConclusion() {
        AbComparison moved =
                compared(0.2, 8, run -> with(run, AbFigure.P50, run.arm() == Arm.AGAIN ? 1.1 : 1, run.verdict()));
        assertThat(moved.judgement().outcome()).isEqualTo(Outcome.CONTROL_MOVED);
        assertThat(moved.hasEnded()).isTrue();
    }

    /** A millisecond more or less in the last digit, which is the same in all blocks. */
    @Test
    void roundedTimesThatDifferByTheirLastDigitAreTheSame() {
        AbComparison rounded = compared(0, 14, run -> {
            Map<String, Double> figures = new HashMap<>(run.figures());
            figures.put("p50", run.arm() == Arm.A ? 100.35 : 100.42);
            return new AbRun(
                    run.block(), run.arm(), "", run.startedAt(), 5, 1, run.steady(), 9_000, 0, run.verdict(), figures);
        });
        assertThat(rounded.judgement().outcome()).isEqualTo(Outcome.NO_REGRESSION);
        assertThat(rounded.judgement().changed()).isEmpty();
    }

    @Test
    void twoBlocksDecideNothing() {
        assertThat(compared(0.9, 2).judgement().outcome()).isEqualTo(Outcome.TOO_NOISY);
    }

    @Test
    void invalidMeasurementsForbidAConclusion() {
        AbComparison invalid = compared(0.2, 6, run -> with(run, AbFigure.P50, 1, Verdict.Status.INVALID));
        assertThat(invalid.judgement().outcome()).isEqualTo(Outcome.INVALID);
    }

    @Test
    void aFigureThatNoRunHasIsNotJudged() {
        AbComparison without = compared(0, 14, run -> {
            Map<String, Double> figures = new HashMap<>(run.figures());
            figures.remove("p99");
            return with(
                    new AbRun(
                            run.block(),
                            run.arm(),
                            "",
                            run.startedAt(),
                            5,
                            1,
                            run.steady(),
                            9_000,
                            0,
                            run.verdict(),
                            figures),
                    AbFigure.P50,
                    1,
                    run.verdict());
        });
        assertThat(without.judgement().effects())
                .extracting(FigureEffect::figure)
                .doesNotContain(AbFigure.P99);
        assertThat(without.judgement().outcome()).isEqualTo(Outcome.NO_REGRESSION);
    }

    @Test
    void itEndsWhenOneMoreBlockWouldNotFit() {
        AbComparison middle = compared(0.05, 18);
        assertThat(middle.looks().get(17).fraction()).isEqualTo(0.9);
        assertThat(middle.hasEnded()).isFalse();
        AbComparison last = compared(0.05, 20);
        assertThat(last.looks().get(19).fraction()).isEqualTo(1);
        assertThat(last.hasEnded()).isTrue();
        assertThat(last.judgement().outcome()).isIn(Outcome.UNDECIDED, Outcome.TOO_NOISY);
    }

    @Test
    void aBlockThatIsNotWholeDoesNotCount() {
        AbComparison whole = compared(0.2, 4);
        AbComparison more = whole.with(new MadeUpMachine(Disturbance.NOISY, 3, 9).run(5, Arm.B, Verdict.Status.VALID));
        assertThat(more.judgement()).isEqualTo(whole.judgement());
    }

    @Test
    void itIsReadAsItWasWritten(@TempDir Path folder) throws IOException {
        AbComparison comparison = compared(0.1, 5).finish();
        AbJson.write(folder, comparison);
        assertThat(AbJson.read(folder).judgement()).isEqualTo(comparison.judgement());
        assertThat(AbJson.read(folder).runs()).isEqualTo(comparison.runs());
        assertThat(Files.readString(folder.resolve(AbJson.FILE)))
                .contains("\"outcome\" : \"regression\"", "\"figure\" : \"p50\"");
        Files.writeString(folder.resolve(AbJson.FILE), "{\"schemaVersion\": 1, \"runs\": 3}");
        assertThatThrownBy(() -> AbJson.read(folder)).isInstanceOf(IOException.class);
    }
}
