package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.measure.Tally.Failures;
import io.phaseload.plan.check.Metric;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TallyTest {

    private static final long HOUR = Duration.ofHours(1).toNanos();

    @Test
    void anEmptyTallyIsZero() {
        Tally tally = new Tally();

        assertThat(tally.requests()).isZero();
        assertThat(tally.succeeded()).isZero();
        assertThat(tally.failed()).isZero();
        assertThat(tally.causes()).isEmpty();
        assertThat(tally.histogram(Timing.RESPONSE).getTotalCount()).isZero();
        assertThat(tally.histogram(Timing.SET_UP).getTotalCount()).isZero();
    }

    @Test
    void aSampleCountsInEveryFigure() {
        Tally tally = new Tally();

        tally.add(new Sample(0, 1_000_000, Exchanges.of(3_000_000, 8_000_000, Outcome.SUCCESS, 120, 4_000_000, true)));

        assertThat(tally.requests()).isEqualTo(1);
        assertThat(tally.succeeded()).isEqualTo(1);
        assertThat(tally.failed()).isZero();
        assertOnly(tally.histogram(Timing.RESPONSE), 7_000_000);
        assertOnly(tally.responseOfSuccesses(), 7_000_000);
        assertOnly(tally.histogram(Timing.SERVICE), 5_000_000);
        assertOnly(tally.histogram(Timing.SLIP), 2_000_000);
        assertOnly(tally.histogram(Timing.FIRST_BYTE), 2_500_000);
        assertOnly(tally.histogram(Timing.TRANSFER), 2_500_000);
        assertOnly(tally.histogram(Timing.SET_UP), 4_000_000);
        assertOnly(tally.histogram(Timing.DNS), 400_000);
        assertOnly(tally.histogram(Timing.TCP), 1_200_000);
        assertOnly(tally.histogram(Timing.TLS), 2_400_000);
        assertThat(tally.histograms()).doesNotContainKeys(Timing.FAILED, Timing.LEASE, InstanceTimings.COLD_START);
        assertThat(tally.counters().bytesReceived()).isEqualTo(120);
        assertThat(tally.counters().reconnects()).isEqualTo(1);
        assertThat(tally.counters().censored()).isZero();
    }

    /** Due at 1, it waited from 2 to 5, connected until 6, was sent, and ended at 8 ms. */
    @Test
    void theWaitForAConnectionIsNeitherSlipNorService() {
        Exchange.SetUp setUp = new Exchange.SetUp(-1, 1_000_000, -1);
        Exchange exchange =
                new Exchange(6_000_000, 500_000, 8_000_000, Outcome.SUCCESS, 200, 10, setUp, false, 3, null, 3_000_000);
        Tally tally = new Tally();
        tally.add(new Sample(0, 1_000_000, exchange));

        assertOnly(tally.histogram(Timing.RESPONSE), 7_000_000);
        assertOnly(tally.histogram(Timing.LEASE), 3_000_000);
        assertOnly(tally.histogram(Timing.SERVICE), 2_000_000);
        assertOnly(tally.histogram(Timing.SLIP), 2_000_000);
        assertOnly(tally.histogram(Timing.SET_UP), 1_000_000);
        assertThat(tally.histograms()).doesNotContainKey(Timing.DNS);
        assertThat(tally.counters().resent()).isEqualTo(3);
    }

    @Test
    void countsStatusesOfCompleteResponses() {
        Tally tally = new Tally();
        tally.add(ofStatus(200, Outcome.SUCCESS));
        tally.add(ofStatus(302, Outcome.SUCCESS));
        tally.add(ofStatus(302, Outcome.SUCCESS));
        tally.add(ofStatus(503, new Outcome.HttpFailure(503)));
        tally.add(ofStatus(200, new Outcome.CheckFailure("check body~'alive'")));
        tally.add(ofStatus(200, new Outcome.Reset(Outcome.Reset.Stage.IN_BODY)));

        Tally sum = Tallies.sum(List.of(tally, tally));
        tally.reset();
        tally.add(ofStatus(404, new Outcome.HttpFailure(404)));

        assertThat(sum.counters().statuses()).containsExactly(entry(200, 4L), entry(302, 4L), entry(503, 2L));
        assertThat(sum.counters().resent()).isZero();
        assertThat(tally.counters().statuses()).containsExactly(entry(404, 1L));
    }

    @Test
    void countsResentRequests() {
        Tally tally = new Tally();
        tally.add(new Sample(
                0, 0, new Exchange(0, 5, 9, Outcome.SUCCESS, 200, 10, null, true, 1, null, Exchange.NO_LEASE)));

        assertThat(Tallies.sum(List.of(tally, tally)).counters().resent()).isEqualTo(2);
    }

    private static Sample ofStatus(int status, Outcome outcome) {
        return new Sample(0, 0, new Exchange(0, 5, 9, outcome, status, 10, null, false, 0, null, Exchange.NO_LEASE));
    }

    @Test
    void packingKeepsTheFigures() {
        Tally tally = new Tally();
        tally.add(new Sample(0, 1_000_000, Exchanges.of(3_000_000, 8_000_000, Outcome.SUCCESS, 120, 4_000_000, true)));
        Map<Timing, Histogram> before = Tallies.sum(List.of(tally)).histograms();

        tally.pack();

        assertThat(tally.requests()).isEqualTo(1);
        assertThat(tally.histograms()).isEqualTo(before);
        assertThat(tally.histogram(InstanceTimings.COLD_START).getTotalCount()).isZero();
        tally.add(tally);
        assertThat(tally.requests()).isEqualTo(2);
        assertThat(tally.histogram(Timing.SERVICE).getCountAtValue(5_000_000)).isEqualTo(2);
        tally.pack();
        assertThat(tally.succeeded()).isEqualTo(2);
        tally.reset();
        assertThat(tally.requests()).isZero();
    }

    @Test
    void coldAndRestoredInstancesHaveTheirOwnTimes() {
        Tally tally = new Tally();
        tally.add(answeredBy(InstanceState.COLD, 5_000_000));
        tally.add(answeredBy(InstanceState.WARM, 1_000_000));
        tally.add(answeredBy(InstanceState.WARM, 1_000_000));
        tally.add(answeredBy(null, 1_000_000));

        assertThat(tally.counters().instances())
                .containsExactly(Map.entry(InstanceState.COLD, 1L), Map.entry(InstanceState.WARM, 2L));
        assertOnly(tally.histogram(InstanceTimings.COLD_START), 5_000_000);

        tally.add(answeredBy(InstanceState.RESTORED, 3_000_000));
        assertThat(tally.histogram(InstanceTimings.COLD_START).getTotalCount()).isEqualTo(2);
        assertThat(Tallies.sum(List.of(tally, tally)).counters().instances()).containsEntry(InstanceState.WARM, 4L);
    }

    private static Sample answeredBy(InstanceState state, long nanos) {
        return new Sample(
                0,
                0,
                new Exchange(0, nanos / 2, nanos, Outcome.SUCCESS, 200, 100, null, false, 0, state, Exchange.NO_LEASE));
    }

    @Test
    void failuresAreCountedByCauseAndStayInTheResponseTimes() {
        Tally tally = new Tally();

        tally.add(Samples.success(1_000_000));
        tally.add(Samples.of(0, new Outcome.HttpFailure(503), 2_000_000));
        tally.add(Samples.of(0, new Outcome.HttpFailure(503), 3_000_000));
        tally.add(Samples.of(0, new Outcome.TlsFailure("first"), 4_000_000));
        tally.add(Samples.of(0, new Outcome.TlsFailure("second"), 4_000_000));
        Outcome timeout = Outcome.NoResponse.READ_TIMEOUT;
        tally.add(Samples.of(0, timeout, 5_000_000));

        assertThat(tally.requests()).isEqualTo(6);
        assertThat(tally.succeeded()).isEqualTo(1);
        assertThat(tally.failed()).isEqualTo(5);
        assertThat(tally.responses()).isEqualTo(3);
        assertThat(tally.causes())
                .containsExactly(
                        Map.entry("http 503", new Failures(2, "")),
                        Map.entry("read timeout", new Failures(1, timeout.detail())),
                        Map.entry("tls failure", new Failures(2, "first")));
        assertThat(tally.counters().censored()).isEqualTo(1);
        assertThat(tally.histogram(Timing.RESPONSE).getTotalCount()).isEqualTo(6);
        assertOnly(tally.responseOfSuccesses(), 1_000_000);
    }

    @Test
    void causesAreUnmodifiable() {
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
        List<Tally> parts =
                Stream.generate(Tally::new).limit(1 + random.nextInt(8)).toList();
        for (int i = 0; i < 2_000; i++) {
            Sample sample = Samples.random(random);
            all.add(sample);
            parts.get(random.nextInt(parts.size())).add(sample);
        }

        assertEqual(Tallies.sum(parts), all);
    }

    @Test
    void roundTripsThroughItsParts() {
        Tally tally = new Tally();
        Random random = new Random(13);
        Stream.generate(() -> Samples.random(random)).limit(300).forEach(tally::add);

        Tally read = Tally.of(tally.histograms(), tally.causes(), tally.counters(), tally.metrics());

        assertEqual(read, tally);
        read.add(tally);
        assertEqual(read, Tallies.sum(List.of(tally, tally)));
    }

    @Test
    void summingDoesNotChangeTheParts() {
        Tally part = new Tally();
        part.add(Samples.success(1_000_000));
        part.add(Samples.of(0, Outcome.NoResponse.READ_TIMEOUT, 1_000_000));
        Tally sum = Tallies.sum(List.of(part, part));

        sum.add(Samples.of(0, Outcome.NoResponse.READ_TIMEOUT, 1_000_000));

        assertThat(sum.requests()).isEqualTo(5);
        assertThat(part.requests()).isEqualTo(2);
        assertThat(part.causes().get("read timeout").count()).isEqualTo(1);
        assertThat(part.histogram(Timing.RESPONSE).getTotalCount()).isEqualTo(2);
    }

    @Test
    void aResetTallyIsEmpty() {
        Tally tally = new Tally();
        Random random = new Random(7);
        Stream.generate(() -> Samples.random(random)).limit(100).forEach(tally::add);

        tally.reset();

        assertEqual(tally, new Tally());
    }

    @Test
    void theSumOfNothingIsEmpty() {
        assertEqual(Tallies.sum(List.of()), new Tally());
    }

    /** A user's clock never runs backwards; if it did, it mustn't end the run. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE / 2})
    void negativeTimesCountAsZero(long nanos) {
        assertOnly(responseOf(nanos), 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000_000_000L, 3_600_000_000_001L, Long.MAX_VALUE / 2})
    void longerTimesAreRecordedAsAnHour(long nanos) {
        Histogram response = responseOf(nanos);

        assertThat(response.getTotalCount()).isEqualTo(1);
        assertThat(response.getMaxValue()).isCloseTo(HOUR, within(HOUR / 1_000));
    }

    @Test
    void valuesAreAccurateToATenthOfAPercent() {
        Random random = new Random(11);
        for (int i = 0; i < 1_000; i++) {
            // Evenly over the orders of magnitude from 1 µs to 1 h.
            long nanos = Math.min(HOUR, (long) (1_000 * Math.pow(HOUR / 1_000.0, random.nextDouble())));
            Histogram response = responseOf(nanos);

            for (double percentile : new double[] {0, 50, 99.9, 100}) {
                assertThat(response.getValueAtPercentile(percentile)).isCloseTo(nanos, within(nanos / 1_000));
            }
            assertThat(response.getMean()).isCloseTo(nanos, within(nanos / 1_000.0));
        }
    }

    /** What took less than the clock's resolution still counts. */
    @Test
    void zeroTimesAreRecorded() {
        Tally tally = new Tally();
        Exchange.SetUp setUp = new Exchange.SetUp(0, 0, 0);
        tally.add(new Sample(
                0, 0, new Exchange(0, 0, 0, Outcome.SUCCESS, 200, 1, setUp, false, 0, null, Exchange.NO_LEASE)));

        assertThat(tally.histograms().keySet())
                .containsExactly(
                        Timing.RESPONSE,
                        Timing.SERVICE,
                        Timing.SLIP,
                        Timing.FIRST_BYTE,
                        Timing.TRANSFER,
                        Timing.SET_UP,
                        Timing.DNS,
                        Timing.TCP,
                        Timing.TLS);
        tally.histograms().values().forEach(times -> assertOnly(times, 0));
    }

    @Test
    void samplesThatAStallTouchedAreRecordedTwice() {
        Tally tally = new Tally();
        Exchange exchange = Samples.success(7_000).exchange();

        tally.add(new Sample(0, exchange.sentNanos(), exchange, true));
        tally.add(new Sample(0, exchange.sentNanos(), exchange, false));

        assertThat(tally.requests()).isEqualTo(2);
        assertOnly(tally.histogram(Timing.STALLED), 7_000);
    }

    /** A wait of 0 is a connection that was free at once, a part of 0 a client without delay. */
    @Test
    void aMeasuredZeroIsNoMissingTime() {
        Tally tally = new Tally();
        tally.add(new Sample(0, 0, new Exchange(0, 5, 9, Outcome.SUCCESS, 200, 10, null, false, 0, null, 0), false, 0));

        assertOnly(tally.histogram(Timing.LEASE), 0);
        assertOnly(tally.histogram(Timing.WATCHED), 9);
        assertOnly(tally.histogram(Timing.CLEARED), 9);
    }

    @Test
    void theClientsOwnPartIsTakenFromWatchedResponseTimes() {
        Tally tally = new Tally();
        Exchange exchange = Samples.success(7_000).exchange();

        tally.add(new Sample(0, exchange.sentNanos(), exchange, false, 2_000));
        tally.add(new Sample(0, exchange.sentNanos(), exchange, false));

        assertOnly(tally.histogram(Timing.WATCHED), 7_000);
        assertOnly(tally.histogram(Timing.CLEARED), 5_000);
    }

    @Test
    void timesOutsideOfRequestsCountNoRequest() {
        Tally tally = new Tally();

        tally.add(InstanceTimings.COLD_START, 4_000);
        tally.add(new Exchange.SetUp(-1, 3_000, -1));

        assertThat(tally.requests()).isZero();
        assertThat(tally.histograms()).containsOnlyKeys(InstanceTimings.COLD_START, Timing.SET_UP, Timing.TCP);
        assertOnly(tally.histogram(InstanceTimings.COLD_START), 4_000);
        assertOnly(tally.histogram(Timing.SET_UP), 3_000);
    }

    @Test
    void softAndUncheckedChecksOfSuccessesAddUpUntilAReset() {
        Outcome warned = new Outcome.Success(Map.of(), Map.of("check json", "found 1"), Set.of("check no body"));
        Outcome warnedAgain = new Outcome.Success(Map.of(), Map.of("check json", "found 2"), Set.of());
        Tally tally = new Tally();
        tally.add(Samples.of(0, warned, 1_000));
        tally.add(Samples.of(0, warnedAgain, 1_000));

        Tally sum = Tallies.sum(List.of(tally, tally));

        assertThat(tally.succeeded()).isEqualTo(2);
        assertThat(tally.warnings()).containsExactly(entry("check json", new Failures(2, "found 1")));
        assertThat(tally.unchecked()).containsExactly(entry("check no body", new Failures(1, "")));
        assertThat(sum.warnings()).containsExactly(entry("check json", new Failures(4, "found 1")));
        assertThat(sum.unchecked()).containsExactly(entry("check no body", new Failures(2, "")));
        assertThat(sum.causes()).isEmpty();
        tally.reset();
        assertThat(tally.warnings()).isEmpty();
        assertThat(tally.unchecked()).isEmpty();
    }

    @Test
    void failuresAreOrderedByTheirCauses() {
        Tally tally = new Tally();
        tally.add(Samples.of(0, Outcome.NoResponse.READ_TIMEOUT, 1_000));
        tally.add(Samples.of(0, new Outcome.HttpFailure(503), 1_000));

        assertThat(tally.failures().keySet()).containsExactly(Cause.ofStatus(503), Cause.READ_TIMEOUT);
        assertThat(tally.failures().get(Cause.READ_TIMEOUT).count()).isEqualTo(1);
    }

    /** Of histograms, a long run holds thousands. */
    @Test
    void onlyAnUnpackedTallyOfManyRequestsIsLarge() {
        Tally tally = new Tally();
        tally.add(Samples.success(1_000));
        assertThat(tally.isLarge()).isFalse();

        addMany(tally);
        assertThat(tally.isLarge()).isTrue();

        tally.pack();
        assertThat(tally.isLarge()).isFalse();
    }

    @Test
    void aClientsTallyWithoutKeptRequestsIsTheSame() {
        Tally tally = new Tally();
        tally.add(Samples.success(1_000));

        assertThat(tally.from("agent-1", Duration.ZERO)).isSameAs(tally);
    }

    @Test
    void aClientsTallyHasTheClientsNameInAllKeptRequests() {
        Tally tally = new Tally();
        addMany(tally);
        tally.keep(List.of(Requests.failed(Outcome.NoResponse.READ_TIMEOUT, 1)));
        Tally failed = tally.from("agent-1", Duration.ZERO);
        tally.keep(List.of(Requests.success(2_000, 2), Requests.success(1_000, 3)));
        Tally both = tally.from("agent-1", Duration.ZERO);

        assertThat(failed.firstFailed()).extracting(KeptRequest::client).containsExactly(Optional.of("agent-1"));
        assertThat(failed.slowest()).isEmpty();
        assertThat(both.firstFailed()).hasSize(1);
        assertThat(both.slowest()).extracting(KeptRequest::client).hasSize(2).containsOnly(Optional.of("agent-1"));
        assertThat(both.histograms()).isEqualTo(tally.histograms());
        assertThat(both.isLarge()).isFalse();
        assertThat(tally.slowest()).extracting(KeptRequest::client).containsOnly(Optional.empty());
    }

    private static void addMany(Tally tally) {
        for (int i = 0; i < 600; i++) {
            tally.add(Samples.success(1_000 + i));
        }
    }

    @Test
    void addsUpTheMetricsOfSuccesses() {
        Metric elapsed = new Metric("elapsed", "/elapsed", "ms");
        Tally tally = new Tally();
        for (double value : new double[] {3, 5}) {
            tally.add(Samples.of(0, new Outcome.Success(Map.of(elapsed, value)), 1_000));
        }

        assertThat(tally.metrics()).containsExactly(entry(elapsed, new Values(2, 8, 3, 5)));
    }

    @Test
    void missingTimesAreNotRecorded() {
        Tally tally = new Tally();
        Exchange.SetUp setUp = new Exchange.SetUp(2, 3, -1);
        tally.add(new Sample(
                0,
                0,
                new Exchange(
                        5, -1, 9, Outcome.NoResponse.READ_TIMEOUT, 0, 0, setUp, false, 0, null, Exchange.NO_LEASE)));

        assertThat(tally.histograms()).doesNotContainKeys(Timing.FIRST_BYTE, Timing.TRANSFER, Timing.TLS);
        assertOnly(tally.histogram(Timing.SET_UP), 5);
    }

    /** The rest of an incomplete response is not a transfer time. */
    @Test
    void onlyCompleteResponsesHaveATransferTime() {
        Tally tally = new Tally();
        tally.add(ofStatus(200, new Outcome.Reset(Outcome.Reset.Stage.IN_BODY)));

        assertOnly(tally.histogram(Timing.FIRST_BYTE), 5);
        assertThat(tally.histograms()).doesNotContainKey(Timing.TRANSFER);
    }

    /** Times of every length up to an hour, once each and very often. */
    @Test
    void packedTimesAreAddedAsTheyWere() {
        Random random = new Random(1);
        Histogram nanos = new Histogram(1, HOUR, 3);
        for (int i = 0; i < 2_000; i++) {
            long time = (long) Math.pow(HOUR, random.nextDouble());
            nanos.recordValueWithCount(time, 1L << random.nextInt(50));
        }
        nanos.recordValue(0);
        nanos.recordValue(HOUR);
        Tally packed = stored(nanos);

        Histogram sum = Tallies.sum(List.of(packed, packed)).histogram(Timing.RESPONSE);

        Histogram expected = nanos.copy();
        expected.add(nanos);
        assertThat(sum).isEqualTo(expected);
        assertThat(sum.getMaxValue()).isEqualTo(expected.getMaxValue());
        assertThat(sum.getMinNonZeroValue()).isEqualTo(expected.getMinNonZeroValue());
    }

    /** Such as those of a foreign file. */
    @ParameterizedTest
    @CsvSource({"1000, 2", "1000, 3", "1, 2"})
    void packedTimesOfOtherDigitsOrUnitsAreAdded(long lowest, int digits) {
        Histogram coarse = new Histogram(lowest, HOUR, digits);
        coarse.recordValueWithCount(5_000_000, 7);

        Histogram sum = Tallies.sum(List.of(stored(coarse))).histogram(Timing.RESPONSE);

        assertThat(sum.getTotalCount()).isEqualTo(7);
        assertThat(sum.getMaxValue()).isBetween(4_900_000L, 5_100_000L);
    }

    /** Counts that take all nine bytes of the encoding. */
    @Test
    void packedCountsMayBeAsHighAsALong() {
        Histogram nanos = new Histogram(1, HOUR, 3);
        nanos.recordValueWithCount(1_000, 1L << 57);
        nanos.recordValueWithCount(2_000, 1L << 62);
        Tally packed = stored(nanos);

        assertThat(Tallies.sum(List.of(packed)).histogram(Timing.RESPONSE)).isEqualTo(nanos);
    }

    private static Tally stored(Histogram nanos) {
        return Tally.of(
                Map.of(Timing.RESPONSE, nanos), Map.of(), new Counters(0, 0, 0, 0, 0, Map.of(), Map.of()), Map.of());
    }

    private static Histogram responseOf(long nanos) {
        Tally tally = new Tally();
        tally.add(new Sample(0, 0, Exchanges.of(0, nanos, Outcome.SUCCESS, 0, 0, false)));
        return tally.histogram(Timing.RESPONSE);
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
        assertThat(tally.metrics()).isEqualTo(expected.metrics());
        assertThat(tally.histograms()).isEqualTo(expected.histograms());
        assertThat(tally.responseOfSuccesses()).isEqualTo(expected.responseOfSuccesses());
        assertThat(tally.counters()).isEqualTo(expected.counters());
    }
}
