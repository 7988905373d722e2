package io.phaseload.measure.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.TraceContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestSamplerTest {

    private static final int MANY = 200_000;

    private static Sample sample(long at, long nanos, Outcome outcome, Exchange.SetUp setUp) {
        return new Sample(
                0, at, new Exchange(at, nanos, at + nanos, outcome, 200, 10, setUp, false, 0, null, Exchange.NO_LEASE));
    }

    private static RequestSample many(int samplers) {
        List<RequestSampler> all = IntStream.range(0, samplers)
                .mapToObj(i -> new RequestSampler(samplers, 1))
                .toList();
        for (int i = 0; i < MANY; i++) {
            int user = i % 10;
            boolean fails = i % 4 == 0;
            all.get(user % samplers)
                    .add(
                            user,
                            sample(
                                    1_000 + i,
                                    20_000L * i,
                                    fails ? Outcome.NoResponse.READ_TIMEOUT : Outcome.SUCCESS,
                                    null),
                            any -> null);
        }
        return RequestSample.of(all, 1_000);
    }

    @Test
    void fewRequestsAreAllKept() {
        RequestSampler sampler = new RequestSampler(2, 1);
        sampler.add(3, sample(500, 30_000, Outcome.SUCCESS, new Exchange.SetUp(1, 2, 3)), any -> null);
        sampler.add(3, sample(800, 40_000, Outcome.SUCCESS, null), any -> null);

        RequestSample sample = RequestSample.of(List.of(sampler), 100);

        assertThat(sample.share()).isEqualTo(1);
        assertThat(sample.all())
                .containsExactly(
                        new SampledRequest(
                                400,
                                400,
                                30_000,
                                30_000,
                                0,
                                3,
                                new SampledConnection(0, 0, 0, -1, new Exchange.SetUp(1, 2, 3)),
                                "",
                                10,
                                200,
                                false,
                                Outcome.SUCCESS),
                        new SampledRequest(
                                700,
                                700,
                                40_000,
                                40_000,
                                0,
                                3,
                                new SampledConnection(0, 1, 300, 0, null),
                                "",
                                10,
                                200,
                                false,
                                Outcome.SUCCESS));
        assertThat(sample.slowest().get(0)).isEqualTo(sample.all());
    }

    /** A pattern of the requests, such as each fourth that fails, is none of the sample. */
    @Test
    void manyRequestsAreSampledAtRandom() {
        for (int samplers : List.of(1, 4)) {
            RequestSample sample = many(samplers);

            assertThat(sample.all()).hasSizeBetween(3_000, 16_384);
            assertThat(sample.all().size() / (double) MANY).isCloseTo(sample.share(), within(0.1 * sample.share()));
            long failed = sample.all().stream().filter(SampledRequest::failed).count();
            assertThat((double) failed / sample.all().size()).isCloseTo(0.25, within(0.02));
            long firstHalf = sample.all().stream()
                    .filter(of -> of.sentNanos() < MANY / 2)
                    .count();
            assertThat((double) firstHalf / sample.all().size()).isCloseTo(0.5, within(0.02));
            assertThat(sample.failures()).hasSizeBetween(500, 4_096);
            assertThat(sample.failures()).allMatch(SampledRequest::failed);
        }
    }

    @Test
    void theSlowestAreKeptWithoutGaps() {
        List<SampledRequest> slowest = many(4).slowest().get(0);

        assertThat(slowest).hasSizeBetween(100, 1_024);
        long first = slowest.get(0).serviceNanos() / 20_000;
        assertThat(slowest)
                .extracting(of -> of.serviceNanos() / 20_000)
                .containsExactlyElementsOf(LongStream.range(first, MANY).boxed().toList());
    }

    /** Timeouts all take the same time. */
    @Test
    void someOfManyThatTakeTheSameTimeAreKept() {
        RequestSampler sampler = new RequestSampler(1, 1);
        for (int i = 0; i < MANY; i++) {
            sampler.add(0, sample(i, 1_000_000_000, Outcome.SUCCESS, null), any -> null);
        }

        assertThat(RequestSample.of(List.of(sampler), 0).slowest().get(0)).isNotEmpty();
    }

    @Test
    void aRequestWithoutAConnectionIsTheFirstOverANewOne() {
        RequestSampler sampler = new RequestSampler(1, 1);
        sampler.add(0, sample(500, 30_000, Outcome.SUCCESS, new Exchange.SetUp(1, 2, 3)), any -> null);
        Exchange refused = Exchange.notConnected(40_000, 50_000, Outcome.NoResponse.CONNECT_REFUSED, true);
        sampler.add(0, new Sample(0, 40_000, refused), any -> null);

        assertThat(RequestSample.of(List.of(sampler), 0).all())
                .extracting(SampledRequest::connection)
                .last()
                .isEqualTo(new SampledConnection(0, 0, -1, -1, null));
    }

    /** Users two by two, of every second user that a sampler has. */
    @Test
    void usersThatShareAConnectionHaveItsNumber() {
        List<RequestSampler> samplers = IntStream.range(0, 2)
                .mapToObj(i -> new RequestSampler(2, 1, 2, Optional.empty()))
                .toList();
        for (int user = 0; user < 8; user++) {
            samplers.get(user % 2).add(user, sample(user, 30_000, Outcome.SUCCESS, null), any -> null);
        }

        assertThat(RequestSample.of(samplers, 0).all())
                .extracting(of -> of.connection().sharedNumber())
                .containsExactly(0, 1, 0, 1, 2, 3, 2, 3);
    }

    /** Otherwise it is unknown over which of them a request was sent. */
    @Test
    void connectionsInTheOrderOfRequestsHaveNoNumber() {
        RequestSampler sampler = new RequestSampler(1, 1, 0, Optional.empty());
        sampler.add(3, sample(500, 30_000, Outcome.SUCCESS, null), any -> null);

        SampledConnection connection =
                RequestSample.of(List.of(sampler), 0).all().get(0).connection();
        assertThat(connection).isEqualTo(new SampledConnection(-1, -1, -1, -1, null));
        assertThat(connection.sharedNumber()).isEqualTo(-1);
    }

    @Test
    void aLogReceivesEachRequestSinceThePhaseBegan() {
        List<SampledRequest> logged = new ArrayList<>();
        List<TraceContext> traces = new ArrayList<>();
        Set<Instant> starts = new HashSet<>();
        RequestSink sink = (start, request, trace) -> {
            starts.add(start);
            logged.add(request);
            traces.add(trace);
        };
        RequestLog log = new RequestLog(sink, () -> 100, Instant.EPOCH::plusNanos);
        RequestSampler sampler = new RequestSampler(1, 1, 1, Optional.of(log));
        KeptRequest.Sender sender = new KeptRequest.Sender() {
            @Override
            public KeptRequest kept(Sample sample) {
                throw new UnsupportedOperationException();
            }

            @Override
            public TraceContext trace() {
                return TraceContext.of(1, 2, 3);
            }
        };

        Exchange.SetUp setUp = new Exchange.SetUp(1, 2, 3);
        sampler.add(3, sample(500, 30_000, Outcome.SUCCESS, setUp), any -> null);
        Exchange late = new Exchange(
                40_900, 7, 50_000, Outcome.NoResponse.READ_TIMEOUT, 0, 5, null, false, 0, null, Exchange.NO_LEASE);
        sampler.add(3, new Sample(0, 40_500, late, true), sender);

        // The same as in a sample that has all.
        assertThat(logged).isEqualTo(RequestSample.of(List.of(sampler), 100).all());
        assertThat(logged.get(1))
                .isEqualTo(new SampledRequest(
                        40_400,
                        40_800,
                        9_100,
                        7,
                        0,
                        3,
                        new SampledConnection(0, 1, 40_400, 10_400, null),
                        "",
                        5,
                        0,
                        true,
                        Outcome.NoResponse.READ_TIMEOUT));
        assertThat(starts).containsExactly(Instant.EPOCH.plusNanos(100));
        assertThat(traces).containsExactly(null, TraceContext.of(1, 2, 3));
    }

    /** Also where a connection was free at once. */
    @ParameterizedTest
    @ValueSource(longs = {0, 2})
    void ofAPoolOnlyNewConnectionsAreKnown(long waited) {
        RequestSampler sampler = new RequestSampler(1, 1);
        Exchange first =
                new Exchange(5, 1, 10, Outcome.SUCCESS, 200, 10, new Exchange.SetUp(0, 1, -1), false, 0, null, waited);
        Exchange later = new Exchange(15, 1, 20, Outcome.SUCCESS, 200, 10, null, false, 0, null, waited);
        sampler.add(0, new Sample(0, 5, first), any -> null);
        sampler.add(0, new Sample(0, 15, later), any -> null);

        assertThat(RequestSample.of(List.of(sampler), 0).all())
                .extracting(of -> of.connection().place())
                .containsExactly(0, -1);
        assertThat(RequestSample.of(List.of(sampler), 0).all())
                .extracting(of -> of.connection().sharedNumber())
                .containsOnly(-1);
    }
}
