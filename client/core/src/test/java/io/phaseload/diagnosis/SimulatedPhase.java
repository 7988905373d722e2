package io.phaseload.diagnosis;

import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.SeriesRecorder;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.RequestSample;
import io.phaseload.measure.RequestSampler;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Six seconds of closed users of a made-up service whose parameters are drawn from a seed. */
final class SimulatedPhase {

    /** What a service may decide by. */
    record Asked(double atMillis, int user, int place, double ageMillis, int count) {}

    /** How a request ends, and whether its connection ends with it. */
    record Answer(Outcome outcome, int status, double millis, boolean ends) {
        Answer(Outcome outcome, double millis, boolean ends) {
            this(outcome, outcome.responded() ? 200 : 0, millis, ends);
        }
    }

    /** What answers. */
    interface Service {
        Answer answer(Asked asked);
    }

    private static final int SECONDS = 6;

    final Random random;
    final int users;
    private final double thinkMillis;
    private final double usualMillis;
    private final Tally[] seconds = new Tally[SECONDS];
    private final RequestSampler sampler = new RequestSampler(1, 1);
    double connectMillis = 0.2;

    SimulatedPhase(long seed) {
        random = new Random(seed);
        users = 4 + random.nextInt(12);
        thinkMillis = random.nextBoolean() ? 0 : between(5, 60);
        usualMillis = between(4, 20);
        for (int i = 0; i < SECONDS; i++) {
            seconds[i] = new Tally();
        }
    }

    double between(double low, double high) {
        return low + (high - low) * random.nextDouble();
    }

    int whole(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    boolean chance(double share) {
        return random.nextDouble() < share;
    }

    /** A success after a usual time. */
    Answer ok() {
        return new Answer(Outcome.SUCCESS, usual(), false);
    }

    Answer http(int status) {
        return new Answer(new Outcome.HttpFailure(status), usual(), false);
    }

    double usual() {
        return usualMillis * Math.exp(0.3 * random.nextGaussian());
    }

    /** A user and its connection. */
    private static final class User {
        private final int number;
        private double free;
        private double connectedAt = -1;
        private int place;

        private User(int number, double free) {
            this.number = number;
            this.free = free;
        }
    }

    /** Runs it. */
    SimulatedPhase of(Service service) {
        PriorityQueue<User> waiting = new PriorityQueue<>(Comparator.comparingDouble(u -> u.free));
        IntStream.range(0, users).forEach(i -> waiting.add(new User(i, random.nextDouble())));
        int count = 0;
        while (waiting.peek().free < 1_000 * SECONDS) {
            User user = waiting.poll();
            ask(user, service, count++);
            waiting.add(user);
        }
        return this;
    }

    private void ask(User user, Service service, int count) {
        boolean isNew = user.connectedAt < 0;
        double at = user.free + (isNew ? connectMillis : 0);
        if (isNew) {
            user.connectedAt = at;
            user.place = 0;
        }
        Asked asked = new Asked(at, user.number, user.place++, at - user.connectedAt, count);
        Answer answer = service.answer(asked);
        add(user.number, at, answer, isNew);
        if (answer.ends() || answer.outcome().unreachable()) {
            user.connectedAt = -1;
        }
        user.free = at + answer.millis() + thinkMillis * (0.5 + random.nextDouble());
    }

    private void add(int user, double at, Answer answer, boolean isNew) {
        boolean connected = !answer.outcome().unreachable();
        long sent = nanos(at);
        long took = nanos(answer.millis());
        SetUp setUp = isNew && connected ? new SetUp(0, nanos(connectMillis), -1) : null;
        boolean answered = answer.outcome().responded();
        Exchange exchange = new Exchange(
                sent,
                answered ? took : Exchange.NO_BYTE,
                sent + took,
                answer.outcome(),
                answer.status(),
                100,
                setUp,
                false,
                false,
                null);
        Sample sample = new Sample(0, sent, exchange);
        int second = (int) ((at + answer.millis()) / 1_000);
        if (second < SECONDS) {
            seconds[second].add(sample);
            sampler.add(user, sample);
        }
    }

    private static long nanos(double millis) {
        return Math.round(millis * 1e6);
    }

    List<Diagnosis> diagnoses() {
        return diagnoses(false, Set.of());
    }

    List<Diagnosis> diagnoses(boolean clientLimited, Set<String> statusChecked) {
        return Diagnoses.of(new RunSeries(List.of(series()), clientLimited, false, true, statusChecked, Set.of()));
    }

    /** Those of an operation that reads the same thing each time. */
    List<Diagnosis> diagnosesOfOnePath() {
        PhaseSeries series = series();
        return Diagnoses.of(new RunSeries(List.of(series), false, false, true, Set.of(), Set.copyOf(series.names())));
    }

    private PhaseSeries series() {
        List<Interval> intervals = new ArrayList<>();
        for (int i = 0; i < SECONDS; i++) {
            intervals.add(new Interval("peak", Duration.ofSeconds(i), Duration.ofSeconds(1), List.of(seconds[i])));
        }
        Tally all = Tallies.sum(List.of(seconds));
        Duration wall = Duration.ofSeconds(SECONDS);
        List<String> names = List.of("GET /");
        Load load = thinkMillis == 0
                ? Load.Closed.AT_ONCE
                : new Load.Closed(Pause.of(Duration.ofNanos(nanos(thinkMillis))), Pause.NONE, Duration.ZERO);
        return new PhaseSeries(
                "peak",
                users,
                wall,
                load,
                Duration.ofSeconds(10),
                names,
                List.of(all),
                all,
                SeriesRecorder.of(intervals).of("peak"),
                Facts.of(RequestSample.of(List.of(sampler), 0), names, List.of(all), wall));
    }
}
