package io.phaseload.diagnosis;

import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.SeriesRecorder;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.measure.recording.RequestSampler;
import io.phaseload.plan.Load;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.StreamTimings;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** A phase that a test makes up second by second. */
final class MadeUpPhase {

    private static final double MILLI = 1e6;

    private final String name;
    private final int users;
    private final Load load;
    private final List<Interval> intervals = new ArrayList<>();
    private RequestSampler sampler = new RequestSampler(1, 1);
    private Wording words = Wording.REQUESTS;
    private int turn;

    MadeUpPhase(String name, int users, Load load) {
        this.name = name;
        this.users = users;
        this.load = load;
    }

    /** Ten users who don't pause. */
    static MadeUpPhase closed() {
        return new MadeUpPhase("peak", 10, Load.Closed.AT_ONCE);
    }

    /** Its users are pairs. */
    MadeUpPhase ofMessages() {
        words = Wording.MESSAGES;
        return this;
    }

    /** Its users share connections. */
    MadeUpPhase shared() {
        sampler = new RequestSampler(1, 1, users, Optional.empty());
        return this;
    }

    /** Seconds that are the same. */
    MadeUpPhase seconds(int count, Consumer<Requests> each) {
        IntStream.range(0, count).forEach(i -> second(each));
        return this;
    }

    MadeUpPhase second(Consumer<Requests> made) {
        return second(Map.of(), made);
    }

    /** A second in which the client's machine told something. */
    MadeUpPhase second(Map<String, Double> client, Consumer<Requests> made) {
        return second(client, Map.of(), made);
    }

    /** Seconds in which servers told something, too. */
    MadeUpPhase seconds(int count, Map<String, Double> server, Consumer<Requests> each) {
        IntStream.range(0, count).forEach(i -> second(Map.of(), server, each));
        return this;
    }

    /** A second in which the client's machine and servers told something. */
    MadeUpPhase second(Map<String, Double> client, Map<String, Double> server, Consumer<Requests> made) {
        Requests requests = new Requests(this);
        made.accept(requests);
        intervals.add(
                new Interval(name, Duration.ofSeconds(intervals.size()), Duration.ofSeconds(1), List.of(requests.tally))
                        .withClient(new HostFigures(client))
                        .withServer(new HostFigures(server)));
        return this;
    }

    PhaseSeries series() {
        Tally all = Tallies.sum(
                intervals.stream().map(interval -> interval.operations().get(0)).toList());
        return new PhaseSeries(
                words,
                name,
                users,
                Duration.ofSeconds(intervals.size()),
                load,
                Duration.ofSeconds(10),
                List.of("GET /"),
                List.of(all),
                all,
                SeriesRecorder.of(intervals).of(name),
                Facts.of(
                        RequestSample.of(List.of(sampler), 0),
                        List.of("GET /"),
                        List.of(all),
                        Duration.ofSeconds(intervals.size())));
    }

    /** What ends in a second. */
    static final class Requests {

        private final Tally tally = new Tally();
        private final MadeUpPhase phase;
        private boolean stalled;
        private double lateMillis;

        Requests(MadeUpPhase phase) {
            this.phase = phase;
        }

        /** From now on, they are sent so long after they were due. */
        Requests late(double millis) {
            lateMillis = millis;
            return this;
        }

        Requests answered(int count, double millis) {
            return add(count, millis, Outcome.SUCCESS, 200, 100, null, null);
        }

        /** With status 304. */
        Requests notModified(int count, double millis) {
            return add(count, millis, Outcome.SUCCESS, 304, 100, null, null);
        }

        /** So many bytes each, half of whose time is transfer for every half given. */
        Requests answeredSlowly(int count, double millis, double firstByteMillis, long bytes) {
            for (int i = 0; i < count; i++) {
                long end = Math.round(millis * MILLI);
                long first = Math.round(firstByteMillis * MILLI);
                add(
                        i,
                        count,
                        at -> new Exchange(
                                at,
                                first,
                                at + end,
                                Outcome.SUCCESS,
                                200,
                                bytes,
                                null,
                                false,
                                0,
                                null,
                                Exchange.NO_LEASE));
            }
            return this;
        }

        Requests failed(int count, double millis, Outcome outcome) {
            int status = outcome instanceof Outcome.HttpFailure http ? http.status() : 0;
            return add(count, millis, outcome, status, 100, null, null);
        }

        /** While the client itself was stalled. */
        Requests failedInStall(int count, double millis, Outcome outcome) {
            stalled = true;
            failed(count, millis, outcome);
            stalled = false;
            return this;
        }

        /** Streams of events. */
        Requests streamed(int count, double millis, double firstEventMillis) {
            for (int i = 0; i < count; i++) {
                tally.add(StreamTimings.FIRST_EVENT, Math.round(firstEventMillis * MILLI));
            }
            return answered(count, millis);
        }

        Requests cold(int count, double millis) {
            return add(count, millis, Outcome.SUCCESS, 200, 100, null, InstanceState.COLD);
        }

        /** Over new connections. */
        Requests connected(int count, double millis, SetUp setUp) {
            return add(count, millis, Outcome.SUCCESS, 200, 100, setUp, null);
        }

        private Requests add(
                int count,
                double millis,
                Outcome outcome,
                int status,
                long bytes,
                SetUp setUp,
                InstanceState instance) {
            for (int i = 0; i < count; i++) {
                // No two alike: within 2 %.
                long end = Math.round(millis * MILLI * (1 + 0.02 * i / count));
                add(
                        i,
                        count,
                        at -> new Exchange(
                                at,
                                end,
                                at + end,
                                outcome,
                                status,
                                bytes,
                                setUp,
                                false,
                                0,
                                instance,
                                Exchange.NO_LEASE));
            }
            return this;
        }

        /** Ends that are evenly spread over the second, of users in turn. */
        private void add(int index, int count, LongFunction<Exchange> exchange) {
            long end = Math.round((phase.intervals.size() + (index + 0.5) / count) * 1e9);
            long at = end - (exchange.apply(0).endNanos());
            Sample sample = new Sample(0, at - Math.round(lateMillis * MILLI), exchange.apply(at), stalled);
            tally.add(sample);
            phase.sampler.add(phase.turn++ % phase.users, sample, any -> null);
        }
    }
}
