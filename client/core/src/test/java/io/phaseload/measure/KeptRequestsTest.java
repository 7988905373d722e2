package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.measure.recording.PhaseRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
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
            intervals.addAll(recorder.nextInterval());
        }

        times.sort(Comparator.reverseOrder());
        for (Tally all : List.of(recorder.totals().get(0), Tallies.sum(intervals))) {
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
            tally.add(Samples.of(0, new Outcome.ReadTimeout(), i + 1), this::kept);
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
