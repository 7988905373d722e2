package io.phaseload.diagnosis;

import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.SeriesRecorder;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Interval;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.measure.recording.RequestSampler;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.schedule.Offsets;
import io.phaseload.schedule.Schedule;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Some seconds of users, closed or of a schedule, of a made-up service whose parameters are drawn from a seed. */
final class SimulatedPhase {

    /** What a service may decide by. */
    record Asked(double atMillis, int user, int place, double ageMillis, int count, int item) {}

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

    /** Workers that take one request at a time each. */
    static final class Pool {
        private final double[] free;

        Pool(int workers) {
            free = new double[workers];
        }

        /** {@return the time until a request ends, in milliseconds} */
        double millis(double atMillis, double workMillis) {
            int first = 0;
            for (int i = 1; i < free.length; i++) {
                first = free[i] < free[first] ? i : first;
            }
            free[first] = Math.max(atMillis, free[first]) + workMillis;
            return free[first] - atMillis;
        }
    }

    private static final double TIMEOUT_MILLIS = 10_000;

    final Random random;
    int users;
    private double thinkMillis;
    private double thinkMore = 1;
    private final double usualMillis;
    private final List<List<Tally>> seconds = new ArrayList<>();
    private List<String> names = List.of("GET /");
    private RequestSampler sampler = new RequestSampler(1, 1);
    private int length = 6;
    private int items;
    private IntFunction<String> paths = item -> "/items/" + item;
    private IntUnaryOperator bytes = item -> 100;
    private Optional<Load.Open> open = Optional.empty();
    double connectMillis = 0.2;
    double startMillis = 1;
    double backOffMillis;

    /** Until then the client itself is stalled. */
    double stalledMillis;

    /** After each third request of a connection. */
    double restMillis;

    double timeoutMillis = TIMEOUT_MILLIS;

    SimulatedPhase(long seed) {
        random = new Random(seed);
        users = 4 + random.nextInt(12);
        thinkMillis = random.nextBoolean() ? 0 : between(5, 60);
        usualMillis = between(4, 20);
    }

    /** For so long. */
    SimulatedPhase seconds(int some) {
        length = some;
        return this;
    }

    /** With users enough for the starts of a schedule. */
    SimulatedPhase at(Schedule schedule) {
        open = Optional.of(new Load.Open(schedule, Load.Overload.QUEUE));
        return this;
    }

    /** With users who pause, evenly distributed. */
    SimulatedPhase thinking(double leastMillis, double mostMillis) {
        thinkMillis = 2 * leastMillis;
        thinkMore = leastMillis == 0 ? 1 : (mostMillis - leastMillis) / thinkMillis;
        return this;
    }

    /** With paths of so many items, of which each request asks for a random one. */
    SimulatedPhase ofItems(int some) {
        items = some;
        return this;
    }

    /** With paths of their own. */
    SimulatedPhase named(IntFunction<String> names) {
        paths = names;
        return this;
    }

    /** With responses of so many bytes, by their item. */
    SimulatedPhase ofBytes(IntUnaryOperator each) {
        bytes = each;
        return this;
    }

    /** With operations that take turns. */
    SimulatedPhase asking(String... operations) {
        names = List.of(operations);
        sampler = new RequestSampler(1, names.size());
        return this;
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

    /** A sender of which its path alone is known. */
    private record Asker(String path) implements KeptRequest.Sender {
        @Override
        public KeptRequest kept(Sample sample) {
            throw new UnsupportedOperationException();
        }
    }

    /** Runs it. */
    SimulatedPhase of(Service service) {
        for (int i = 0; i < length; i++) {
            seconds.add(Stream.generate(Tally::new).limit(names.size()).toList());
        }
        PriorityQueue<User> waiting = new PriorityQueue<>(Comparator.comparingDouble(u -> u.free));
        if (open.isPresent()) {
            ask(open.get().schedule().offsets(), waiting, service);
            return this;
        }
        IntStream.range(0, users).forEach(i -> waiting.add(new User(i, startMillis * random.nextDouble())));
        int count = 0;
        while (waiting.peek().free < 1_000 * length) {
            User user = waiting.poll();
            ask(user, service, count++);
            waiting.add(user);
        }
        return this;
    }

    private void ask(Offsets starts, PriorityQueue<User> waiting, Service service) {
        users = 0;
        for (int i = 0; ; i++) {
            double at = starts.nextNanos() / 1e6;
            if (at >= 1_000 * length) {
                return;
            }
            User user = waiting.isEmpty() || waiting.peek().free > at ? new User(users++, at) : waiting.poll();
            user.free = at;
            ask(user, service, i);
            waiting.add(user);
        }
    }

    private void ask(User user, Service service, int count) {
        boolean isNew = user.connectedAt < 0;
        double at = user.free + (isNew ? connectMillis : 0);
        if (isNew) {
            user.connectedAt = at;
            user.place = 0;
        }
        Asked asked = new Asked(
                at, user.number, user.place++, at - user.connectedAt, count, items == 0 ? 0 : random.nextInt(items));
        Answer told = service.answer(asked);
        Answer answer =
                told.millis() < timeoutMillis ? told : new Answer(Outcome.NoResponse.READ_TIMEOUT, timeoutMillis, true);
        add(user.number, at, answer, isNew, count % names.size(), asked.item());
        if (answer.ends() || answer.outcome().unreachable()) {
            user.connectedAt = -1;
        }
        double backOff = answer.outcome() == Outcome.SUCCESS ? 0 : backOffMillis;
        user.free = at
                + answer.millis()
                + backOff
                + (asked.place() % 3 == 2 ? restMillis : 0)
                + (open.isPresent() ? 0 : thinkMillis * (0.5 + thinkMore * random.nextDouble()));
    }

    private void add(int user, double at, Answer answer, boolean isNew, int operation, int item) {
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
                bytes.applyAsInt(item),
                setUp,
                false,
                0,
                null,
                Exchange.NO_LEASE);
        Sample sample = new Sample(operation, sent, exchange, at < stalledMillis);
        int second = (int) ((at + answer.millis()) / 1_000);
        if (second < length) {
            seconds.get(second).get(operation).add(sample);
            sampler.add(user, sample, new Asker(items == 0 ? "" : paths.apply(item)));
        }
    }

    private static long nanos(double millis) {
        return Math.round(millis * 1e6);
    }

    List<Diagnosis> diagnoses() {
        return diagnoses(false, Set.of());
    }

    List<Diagnosis> diagnoses(boolean clientLimited, Set<String> statusChecked) {
        return Diagnoses.of(
                new RunSeries(List.of(series()), clientLimited, false, true, statusChecked, Set.of(), Set.of()));
    }

    /** Those of an operation that reads the same thing each time. */
    List<Diagnosis> diagnosesOfOnePath() {
        PhaseSeries series = series();
        return Diagnoses.of(new RunSeries(
                List.of(series), false, false, true, Set.of(), Set.copyOf(series.names()), Set.copyOf(series.names())));
    }

    PhaseSeries series() {
        List<Interval> intervals = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            intervals.add(new Interval("peak", Duration.ofSeconds(i), Duration.ofSeconds(1), seconds.get(i)));
        }
        List<Tally> operations = IntStream.range(0, names.size())
                .mapToObj(i -> Tallies.sum(
                        seconds.stream().map(second -> second.get(i)).toList()))
                .toList();
        Duration wall = Duration.ofSeconds(length);
        Load load = thinkMillis == 0
                ? Load.Closed.AT_ONCE
                : new Load.Closed(Pause.of(Duration.ofNanos(nanos(thinkMillis))), Pause.NONE, Duration.ZERO);
        return new PhaseSeries(
                Wording.REQUESTS,
                "peak",
                users,
                wall,
                open.<Load>map(of -> of).orElse(load),
                Duration.ofNanos(nanos(timeoutMillis)),
                names,
                operations,
                Tallies.sum(operations),
                SeriesRecorder.of(intervals).of("peak"),
                Facts.of(RequestSample.of(List.of(sampler), 0), names, operations, wall));
    }
}
