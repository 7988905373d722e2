package io.phaseload.plan.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Figure.Count;
import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.plan.check.Figure.Time;
import io.phaseload.plan.check.Threshold.Operator;
import io.phaseload.plan.check.Threshold.Unit;
import io.phaseload.timing.Timing;
import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThresholdTest {

    @Test
    void parsesAllParts() {
        assertThat(Threshold.parse("peak/GET /a:b/c: p99.9 <= 1.50s abort"))
                .isEqualTo(new Threshold(
                        Optional.of("peak"),
                        Optional.of("GET /a:b/c"),
                        new Time(Timing.RESPONSE, Statistic.P999),
                        Operator.AT_MOST,
                        new BigDecimal("1.5"),
                        Unit.S,
                        true));
        assertThat(Threshold.parse("failures < 1 %"))
                .isEqualTo(new Threshold(
                        Optional.empty(),
                        Optional.empty(),
                        Count.FAILURES,
                        Operator.LESS,
                        BigDecimal.ONE,
                        Unit.PERCENT,
                        false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peak: p99 < 250ms | peak: p99 < 250ms",
                "  peak  :p99<250ms | peak: p99 < 250ms",
                "*/GET /: mean <= 20us | */GET /: mean <= 20us",
                "warm-up/POST /x: failures < 1% | warm-up/POST /x: failures < 1%",
                "failures<=5abort | ",
                "failures<=5 abort | failures <= 5 abort",
                "rps > 500 | rps > 500",
                "rps >= 12.5/s abort | rps >= 12.5/s abort",
                "requests >= 1000 | requests >= 1000",
                "slip p99 < 10ms | slip p99 < 10ms",
                "slip max < 2m | slip max < 2m",
                "peak: first-event p95<500ms | peak: first-event p95 < 500ms",
                "event-gap mean < 1s | event-gap mean < 1s",
                "event-delivery p50 < 1s abort | event-delivery p50 < 1s abort",
                "min > 1ms | min > 1ms",
                "server.cpu<80% | server.cpu < 80%",
                "peak: server.a.heap max <= 1.5GB | peak: server.a.heap max <= 1.5GB",
                "client.cpuPercent mean < 50 % | client.cpuPercent < 50%",
                "slope p99 < 1%/h | slope p99 < 1%/h",
                "slope rps >= -2.50%/h | slope rps >= -2.5%/h",
                "*/GET /: slope slip p99 < 0.5ms/min | */GET /: slope slip p99 < 0.5ms/min",
                "slope server.heap<5MB/h | slope server.heap < 5MB/h",
                "slope server.openFiles < 10/d | slope server.openFiles < 10/d",
                "p99 of 'GET /a:b' < 2 x p99 of 'GET /b' | p99 of 'GET /a:b' < 2 x p99 of 'GET /b'",
                "peak/GET /a: p99 < p50 of 'GET /b' | peak: p99 of 'GET /a' < 1 x p50 of 'GET /b'",
            })
    void roundTrips(String quoted, String quotedCanonical) {
        String text = quoted.replace('\'', '"');
        String canonical = quotedCanonical == null ? null : quotedCanonical.replace('\'', '"');
        if (canonical == null) {
            assertThatIllegalArgumentException().isThrownBy(() -> Threshold.parse(text));
        } else {
            assertThat(Threshold.parse(text)).hasToString(canonical);
            assertThat(Threshold.parse(canonical)).isEqualTo(Threshold.parse(text));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | mean, min, p50, p75, p90, p95, p99, p99.9, p99.99, max, failures, rps,"
                        + " requests, resent, slip p99, first-event p99, first-output p99, event-gap p99,"
                        + " event-delivery p99, server.cpu, client.cpu or slope p99 at"
                        + " character 1, found the end",
                "peak: p98 < 1s | client.cpu or slope p99 at character 7, found 'p98 <" + " 1s'",
                "Peak: p99 < 1s | a phase's name, or phase/operation or */operation, before ':'"
                        + " at character 1, found 'Peak: p99 < 1s'",
                "GET /: p99 < 1s | phase/operation or */operation, before ':' at character 1",
                "*: p99 < 1s | phase/operation or */operation, before ':' at character 1",
                "peak/ : p99 < 1s | an operation's name, such as GET /, at character 6",
                "p99 = 1s | <, <=, > or >= at character 5, found '= 1s'",
                "p99 < | a time such as 250ms or 1.5s at character 6, found the end",
                "p99 < 250 | a time such as 250ms or 1.5s at character 7, found '250'",
                "p99 < 1% | a time such as 250ms or 1.5s at character 7, found '1%'",
                "failures < 101% | a percentage such as 1% or a count such as 5 at character 12",
                "failures < 5ms | a percentage such as 1% or a count such as 5 at character 12",
                "rps > 10k | requests a second, such as 500 or 500/s, at character 7",
                "requests > 5% | a count such as 1000 at character 12, found '5%'",
                "requests > 5 abort | the end at character 14, found 'abort'",
                "p99 < 1s stop | 'abort' or the end at character 10, found 'stop'",
                "p99 < 1s abort now | 'abort' or the end at character 10, found 'abort now'",
                "server. < 1% | mean, min",
                "server.cpu p99 < 80% | <, <=, > or >= at character 12",
                "server.cpu < 80x | a value such as 80%, 500MB, 20ms, 100/s or 100 at character 14",
                "server.cpu < 80% abort | the end at character 18",
                "slope p99 < 1% | a change such as 1%/h, 5MB/h or -2ms/min at character 13",
                "slope p99 < 1%/y | a change such as 1%/h, 5MB/h or -2ms/min at character 13",
                "slope p99 < 1MB/h | a change such as 1%/h, 5MB/h or -2ms/min at character 13",
                "slope requests < 1/h | a change such as 1%/h, 5MB/h or -2ms/min at character 18",
                "slope slope p99 < 1%/h | one slope at character 7",
                "p99 > -1ms | a time such as 250ms or 1.5s at character 7",
                "p99 of \"a\" < 2 x p99 of b | of \"an operation\" at character",
                "p99 < 2 x p99 of \"b\" | an operation on both sides",
                "failures of \"a\" < 2 x failures of \"b\" | a time or rps on both sides at character",
                "p99 of \"a\" < 2 x p99 of \"b\" abort | the end at character",
                "slip < 1s | a percentile such as p99 after 'slip' at character 6, found '< 1s'",
            })
    void errorsPointAtTheirPlace(String text, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Threshold.parse(text))
                .withMessageStartingWith("expected ")
                .withMessageContaining(expected);
    }

    @Test
    void appliesToTheMeasuredPhasesUnlessItNamesOne() {
        List<String> measured = Phase.measured(List.of("warmup", "loading", "peak", "cooldown"));

        assertThat(Threshold.parse("rps > 1").phases(measured)).containsExactly("loading", "peak");
        assertThat(Threshold.parse("warmup: rps > 1").phases(measured)).containsExactly("warmup");
    }

    @Test
    void warmupAndCooldownAreMeasuredIfThereAreNoOtherPhases() {
        assertThat(Phase.measured(List.of("warmup", "cooldown"))).containsExactly("warmup", "cooldown");
        assertThat(Phase.measured(List.of("cooldown"))).containsExactly("cooldown");
    }

    @ParameterizedTest
    @CsvSource({"<, true, false, false", "<=, true, true, false", ">, false, false, true"})
    void comparesByItsOperator(String sign, boolean below, boolean same, boolean above) {
        Operator operator = Threshold.parse("rps " + sign + " 1").operator();

        assertThat(operator.holds(0.9, 1)).isEqualTo(below);
        assertThat(operator.holds(1, 1)).isEqualTo(same);
        assertThat(operator.holds(1.1, 1)).isEqualTo(above);
        assertThat(Operator.AT_LEAST.holds(1, 1)).isTrue();
        assertThat(Operator.AT_LEAST.holds(0.9, 1)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"20us, 0.02", "250ms, 250", "1.5s, 1500", "2m, 120000"})
    void timesAreMilliseconds(String limit, double millis) {
        assertThat(Threshold.parse("p99 < " + limit).limitValue()).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peek: rps > 1 | expected a phase of warmup, loading, peak, cooldown",
                "peak/GET /x: rps > 1 | expected an operation of GET /, POST /",
                "p99 of 'GET /' < 2 x p99 of 'GET /x' | expected an operation of GET /, POST /",
                "server.cpu < 80% | expected server metrics",
                "client.cpux < 80% | expected a figure of cpu",
                "client.heap < 80% | expected a unit of heapMiB, such as MiB",
                "client.openFiles < 80MB | expected a unit of openFiles, which has none",
                "*/GET /: client.cpu < 80% | expected no operation, since client.cpu is of all",
            })
    void mustMatchThePlan(String text, String expected) {
        PlanBuilder plan = Plan.builder(URI.create("http://localhost/"))
                .scenario(Scenario.getThenPost())
                .threshold(Threshold.parse(text.replace('\'', '"')));

        assertThatIllegalArgumentException()
                .isThrownBy(plan::build)
                .withMessageStartingWith("threshold '")
                .withMessageContaining(expected);
    }
}
