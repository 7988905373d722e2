package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.measure.recording.PhaseRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeptRequestsTest {

    private final List<Sample> asked = new ArrayList<>();

    private KeptRequest kept(Sample sample) {
        asked.add(sample);
        return KeptRequest.of(
                sample,
                Instant.EPOCH.plusNanos(sample.intendedNanos()),
                "GET /",
                sample.exchange().outcome().detail(),
                1,
                Optional.empty());
    }

    /** Whatever stripe, interval and order they come in. */
    @Test
    void theSlowestOfAllIntervalsAreThoseOfThePhase() {
        Random random = new Random(1);
        PhaseRecorder recorder = new PhaseRecorder(1);
        List<Double> times = new ArrayList<>();
        List<Tally> intervals = new ArrayList<>();
        for (int interval = 0; interval < 20; interval++) {
            for (int i = 0; i < 500; i++) {
                long nanos = 1 + random.nextInt(1_000_000_000);
                times.add(nanos / 1e6);
                recorder.record(random.nextInt(100), Samples.success(nanos), this::kept);
            }
            intervals.addAll(recorder.sums().nextInterval());
        }

        times.sort(Comparator.reverseOrder());
        for (Tally all : List.of(recorder.sums().totals().get(0), Tallies.sum(intervals))) {
            assertThat(all.slowest())
                    .extracting(of -> of.times().responseMs())
                    .isEqualTo(times.subList(0, KeptRequests.SLOWEST));
            assertThat(all.slowest().get(0).times().responseMs() * 1e6)
                    .isCloseTo(
                            all.responseOfSuccesses().getMaxValue(),
                            within(all.responseOfSuccesses().getMaxValue() / 1e3));
        }
        // Of 10,000, most are like others.
        assertThat(asked).hasSizeLessThan(2_000);
    }

    @Test
    void nobodyIsAskedOfWhatIsNoSlower() {
        Tally tally = new Tally();
        for (int i = 0; i < KeptRequests.SLOWEST; i++) {
            tally.add(Samples.success(2_000_000), this::kept);
        }
        asked.clear();

        tally.add(Samples.success(2_000_000), this::kept);
        Tally next = tally.next();
        next.add(Samples.success(2_000_000), this::kept);
        tally.reset();
        tally.add(Samples.success(2_000_000), this::kept);
        assertThat(asked).isEmpty();
        assertThat(tally.slowest()).isEmpty();

        next.add(Samples.success(2_000_001), this::kept);
        assertThat(next.slowest()).extracting(of -> of.times().responseMs()).containsExactly(2.000001);
    }

    @Test
    void theFirstFailuresOfEachCauseAreKept() {
        Tally tally = new Tally();
        for (int i = 0; i < 10; i++) {
            tally.add(Samples.of(0, new Outcome.HttpFailure(503, "n" + i), i + 1), this::kept);
            tally.add(Samples.of(0, Outcome.NoResponse.READ_TIMEOUT, i + 1), this::kept);
        }
        Tally later = tally.next();
        later.add(Samples.of(0, new Outcome.HttpFailure(503), 1), this::kept);
        later.add(Samples.of(0, new Outcome.HttpFailure(404), 1), this::kept);

        Tally all = Tallies.sum(List.of(later, tally));
        assertThat(all.firstFailed())
                .extracting(of -> of.cause().orElseThrow())
                .containsExactly(
                        "http 404", "http 503", "http 503", "http 503", "read timeout", "read timeout", "read timeout");
        assertThat(all.firstFailed().subList(1, 4))
                .extracting(of -> of.message().orElseThrow())
                .containsExactly("n0", "n1", "n2");
        assertThat(all.firstFailed().get(1).status()).isEqualTo(503);
        assertThat(all.slowest()).isEmpty();
        assertThat(asked).hasSize(7);
    }

    /** Such as those of several agents, each of which kept its first ones. */
    @Test
    void ofMergedFailuresTheEarliestOfEachCauseAreKept() {
        Tally all = new Tally();
        for (long millis : new long[] {50, 10, 40, 20, 30}) {
            all.keep(List.of(
                    Requests.failed(new Outcome.HttpFailure(503), millis),
                    Requests.failed(Outcome.NoResponse.READ_TIMEOUT, 100 - millis)));
        }

        List<KeptRequest> failed = all.firstFailed();

        assertThat(failed).hasSize(2 * KeptRequests.OF_EACH_CAUSE);
        assertThat(failed.subList(0, 3)).containsExactlyElementsOf(requests(new Outcome.HttpFailure(503), 10, 20, 30));
        assertThat(failed.subList(3, 6))
                .containsExactlyElementsOf(requests(Outcome.NoResponse.READ_TIMEOUT, 50, 60, 70));
    }

    private static List<KeptRequest> requests(Outcome outcome, long... millis) {
        return LongStream.of(millis)
                .mapToObj(at -> Requests.failed(outcome, at))
                .toList();
    }

    @Test
    void failuresOfOneInstantStayInTheirOrder() {
        Tally tally = new Tally();
        for (String detail : List.of("b", "a", "c", "d")) {
            tally.keep(List.of(Requests.failed(new Outcome.TlsFailure(detail), 1)));
        }

        assertThat(tally.firstFailed())
                .extracting(of -> of.message().orElseThrow())
                .containsExactly("b", "a", "c");
    }

    /** Wherever it was measured, the phase had enough such requests before. */
    @Test
    void aRequestAsSlowAsTheSlowestBeforeIsNotKept() {
        Tally tally = new Tally();
        for (int i = 0; i < KeptRequests.SLOWEST; i++) {
            tally.keep(List.of(Requests.success(2_000_000, i)));
        }

        Tally next = tally.next();
        next.keep(List.of(Requests.success(2_000_000, 20)));
        assertThat(next.slowest()).isEmpty();
        next.keep(List.of(Requests.success(2_000_001, 20)));
        assertThat(next.slowest()).hasSize(1);
    }

    @Test
    void aResetTallyKeepsNoMoreFailuresOfACause() {
        Tally tally = new Tally();
        for (int i = 0; i < KeptRequests.OF_EACH_CAUSE; i++) {
            tally.add(Samples.of(0, Outcome.NoResponse.READ_TIMEOUT, 1), this::kept);
        }
        tally.reset();
        tally.add(Samples.of(0, Outcome.NoResponse.READ_TIMEOUT, 1), this::kept);
        assertThat(tally.firstFailed()).isEmpty();

        tally.add(Samples.of(0, Outcome.NoResponse.CONNECT_TIMEOUT, 1), this::kept);
        assertThat(tally.firstFailed())
                .extracting(of -> of.cause().orElseThrow())
                .containsExactly("connect timeout");
    }

    @Test
    void aRequestHasThePlaceAndTheHeadersThatWereReceived() {
        TraceContext trace = TraceContext.of(1, 2, 3);
        KeptRequest plain = Requests.success(1_000, 1);

        KeptRequest detailed = plain.with(trace, Map.of("server", "b"));

        assertThat(detailed.trace()).contains(trace);
        assertThat(detailed.headers()).isEqualTo(Map.of("server", "b"));
        assertThat(detailed.with(null, Map.of())).isEqualTo(plain);
        assertThat(plain.message()).isEmpty();
    }

    /** As written by earlier versions. */
    @Test
    void aStoredRequestMayLackHeaders() {
        KeptRequest kept = Requests.success(1_000, 1);

        assertThat(kept.with(null, null).headers()).isEmpty();
    }

    /** The connection of a pool was free at once, and the response came with the clock's next tick. */
    @Test
    void aPartOfZeroIsKnown() {
        Exchange exchange = new Exchange(0, 0, 3_000_000, Outcome.SUCCESS, 200, 1, null, false, 0, null, 0);

        KeptRequest.RequestTimes times = kept(new Sample(0, 0, exchange)).times();

        assertThat(times.leaseMs()).contains(0.0);
        assertThat(times.timeToFirstByteMs()).contains(0.0);
        assertThat(times.transferMs()).contains(3.0);
        assertThat(times.connectionSetUpMs()).isEmpty();
    }

    @Test
    void withoutAResponseItsPartsAreUnknown() {
        KeptRequest request = kept(Samples.of(0, Outcome.NoResponse.READ_TIMEOUT, 3_000_000));

        assertThat(request.times().leaseMs()).isEmpty();
        assertThat(request.times().timeToFirstByteMs()).isEmpty();
        assertThat(request.times().transferMs()).isEmpty();
        assertThat(request.message()).contains(Outcome.NoResponse.READ_TIMEOUT.detail());
    }

    /** Of agents, whose clocks needn't agree. */
    @Test
    void aClientsNameAndClockAreThoseOfItsRequests() {
        Tally tally = new Tally();
        tally.add(Samples.success(2_000_000), this::kept);

        Tally named = tally.from("agent a", Duration.ofSeconds(1)).from("b", Duration.ZERO);

        assertThat(named.requests()).isEqualTo(1);
        assertThat(named.slowest().get(0).client()).contains("agent a");
        assertThat(named.slowest().get(0).at())
                .isEqualTo(tally.slowest().get(0).at().minusSeconds(1));
    }

    @Test
    void itsPartsAddUpToTheResponse() {
        Exchange exchange = new Exchange(
                3_000_000,
                4_000_000,
                9_000_000,
                Outcome.SUCCESS,
                200,
                1,
                new Exchange.SetUp(-1, 500_000, -1),
                false,
                0,
                null,
                1_000_000);

        KeptRequest request = kept(new Sample(0, 500_000, exchange, true));

        assertThat(request.times().responseMs()).isEqualTo(8.5);
        assertThat(request.times().slipMs()).isEqualTo(1.5);
        assertThat(request.times().leaseMs()).contains(1.0);
        assertThat(request.times().timeToFirstByteMs()).contains(4.0);
        assertThat(request.times().transferMs()).contains(2.0);
        assertThat(request.times().connectionSetUpMs()).contains(0.5);
        assertThat(request.stalled()).isTrue();
    }
}
