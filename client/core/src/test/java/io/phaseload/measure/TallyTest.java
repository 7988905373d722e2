package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.http.Exchange;
import io.phaseload.http.Outcome;
import io.phaseload.measure.Tally.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TallyTest {

    private static final long HOUR = Duration.ofHours(1).toNanos();

    @Test
    void anEmptyTallyHasNothing() {
        Tally tally = new Tally();

        assertThat(tally.requests()).isZero();
        assertThat(tally.succeeded()).isZero();
        assertThat(tally.failed()).isZero();
        assertThat(tally.causes()).isEmpty();
        assertThat(tally.response().getTotalCount()).isZero();
        assertThat(tally.connectionSetUp().getTotalCount()).isZero();
    }

    @Test
    void aSampleGoesIntoEachFigure() {
        Tally tally = new Tally();

        tally.add(
                new Sample(
                        0,
                        1_000_000,
                        new Exchange(3_000_000, 8_000_000, Outcome.SUCCESS, 120, 4_000_000, true)));

        assertThat(tally.requests()).isEqualTo(1);
        assertThat(tally.succeeded()).isEqualTo(1);
        assertThat(tally.failed()).isZero();
        assertOnly(tally.response(), 7_000_000);
        assertOnly(tally.responseOfSuccesses(), 7_000_000);
        assertOnly(tally.service(), 5_000_000);
        assertOnly(tally.slip(), 2_000_000);
        assertOnly(tally.connectionSetUp(), 4_000_000);
        assertThat(tally.bytesReceived()).isEqualTo(120);
        assertThat(tally.reconnects()).isEqualTo(1);
        assertThat(tally.censored()).isZero();
    }

    @Test
    void failuresAreCountedByCauseAndStayInTheResponseTimes() {
        Tally tally = new Tally();

        tally.add(Samples.success(1_000_000));
        tally.add(Samples.of(0, new Outcome.HttpFailure(503), 2_000_000));
        tally.add(Samples.of(0, new Outcome.HttpFailure(503), 3_000_000));
        tally.add(Samples.of(0, new Outcome.TlsFailure("first"), 4_000_000));
        tally.add(Samples.of(0, new Outcome.TlsFailure("second"), 4_000_000));
        tally.add(Samples.of(0, new Outcome.ReadTimeout(), 5_000_000));

        assertThat(tally.requests()).isEqualTo(6);
        assertThat(tally.succeeded()).isEqualTo(1);
        assertThat(tally.failed()).isEqualTo(5);
        assertThat(tally.responses()).isEqualTo(3);
        assertThat(tally.causes())
                .containsExactly(
                        Map.entry("http 503", new Failures(2, "")),
                        Map.entry("read timeout", new Failures(1, "")),
                        Map.entry("tls failure", new Failures(2, "first")));
        assertThat(tally.censored()).isEqualTo(1);
        assertThat(tally.response().getTotalCount()).isEqualTo(6);
        assertOnly(tally.responseOfSuccesses(), 1_000_000);
    }

    @Test
    void causesAreAView() {
        Map<String, Failures> causes = new Tally().causes();

        assertThatThrownBy(() -> causes.put("x", new Failures(1, "")))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** Whatever the parts that samples are split into, the parts add up to the whole. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSumOfAnyPartitionIsTheTallyOfAll(long seed) {
        Random random = new Random(seed);
        Tally all = new Tally();
        List<Tally> parts = Stream.generate(Tally::new).limit(1 + random.nextInt(8)).toList();
        for (int i = 0; i < 2_000; i++) {
            Sample sample = Samples.random(random);
            all.add(sample);
            parts.get(random.nextInt(parts.size())).add(sample);
        }

        assertEqual(Tally.sum(parts), all);
    }

    @Test
    void aSumLeavesItsPartsAsTheyAre() {
        Tally part = new Tally();
        part.add(Samples.success(1_000_000));
        part.add(Samples.of(0, new Outcome.ReadTimeout(), 1_000_000));
        Tally sum = Tally.sum(List.of(part, part));

        sum.add(Samples.of(0, new Outcome.ReadTimeout(), 1_000_000));

        assertThat(sum.requests()).isEqualTo(5);
        assertThat(part.requests()).isEqualTo(2);
        assertThat(part.causes()).containsExactly(Map.entry("read timeout", new Failures(1, "")));
        assertThat(part.response().getTotalCount()).isEqualTo(2);
    }

    @Test
    void aResetTallyIsAsNew() {
        Tally tally = new Tally();
        Random random = new Random(7);
        Stream.generate(() -> Samples.random(random)).limit(100).forEach(tally::add);

        tally.reset();

        assertEqual(tally, new Tally());
    }

    @Test
    void theSumOfNothingIsEmpty() {
        assertEqual(Tally.sum(List.of()), new Tally());
    }

    /** A user's clock never runs backwards; if it did, it mustn't end the run. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE / 2})
    void noTimeAtAllIsZero(long nanos) {
        assertOnly(responseOf(nanos), 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000_000_000L, 3_600_000_000_001L, Long.MAX_VALUE / 2})
    void whatIsLongerIsRecordedAsAnHour(long nanos) {
        Histogram response = responseOf(nanos);

        assertThat(response.getTotalCount()).isEqualTo(1);
        assertThat(response.getMaxValue()).isCloseTo(HOUR, within(HOUR / 1_000));
    }

    @Test
    void aValueIsOffByATenthOfAPercentAtMost() {
        Random random = new Random(11);
        for (int i = 0; i < 1_000; i++) {
            // Evenly over the orders of magnitude from 1 µs to 1 h.
            long nanos =
                    Math.min(HOUR, (long) (1_000 * Math.pow(HOUR / 1_000.0, random.nextDouble())));
            Histogram response = responseOf(nanos);

            for (double percentile : new double[] {0, 50, 99.9, 100}) {
                assertThat(response.getValueAtPercentile(percentile))
                        .isCloseTo(nanos, within(nanos / 1_000));
            }
            assertThat(response.getMean()).isCloseTo(nanos, within(nanos / 1_000.0));
        }
    }

    private static Histogram responseOf(long nanos) {
        Tally tally = new Tally();
        tally.add(new Sample(0, 0, new Exchange(0, nanos, Outcome.SUCCESS, 0, 0, false)));
        return tally.response();
    }

    private static void assertOnly(Histogram histogram, long nanos) {
        assertThat(histogram.getTotalCount()).isEqualTo(1);
        assertThat(histogram.getValueAtPercentile(50)).isCloseTo(nanos, within(nanos / 1_000));
        assertThat(histogram.getMean()).isCloseTo(nanos, within(nanos / 1_000.0));
    }

    private static void assertEqual(Tally tally, Tally expected) {
        assertThat(tally.requests()).isEqualTo(expected.requests());
        assertThat(tally.succeeded()).isEqualTo(expected.succeeded());
        assertThat(tally.failed()).isEqualTo(expected.failed());
        assertThat(tally.responses()).isEqualTo(expected.responses());
        assertThat(tally.causes()).isEqualTo(expected.causes());
        assertThat(tally.response()).isEqualTo(expected.response());
        assertThat(tally.responseOfSuccesses()).isEqualTo(expected.responseOfSuccesses());
        assertThat(tally.service()).isEqualTo(expected.service());
        assertThat(tally.slip()).isEqualTo(expected.slip());
        assertThat(tally.connectionSetUp()).isEqualTo(expected.connectionSetUp());
        assertThat(tally.censored()).isEqualTo(expected.censored());
        assertThat(tally.bytesReceived()).isEqualTo(expected.bytesReceived());
        assertThat(tally.reconnects()).isEqualTo(expected.reconnects());
    }
}
