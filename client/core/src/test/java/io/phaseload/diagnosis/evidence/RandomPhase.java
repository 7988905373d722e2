package io.phaseload.diagnosis.evidence;

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
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Some seconds of users of a made-up service, from random numbers with a seed. */
public final class RandomPhase {

    /** What a service may decide by. */
    public record Asked(double atMillis, int user, int place, long bytes, int operation) {}

    private final Random random;
    private final int users;
    private final double lengthMillis;
    private final double thinkMillis;
    private final List<List<Tally>> seconds = new ArrayList<>();
    private List<String> names = List.of("GET /");
    private RequestSampler sampler = new RequestSampler(1, 1);
    private List<Tally> tallies = List.of(new Tally());
    private Predicate<Asked> failing = of -> false;
    private Outcome failure = new Outcome.HttpFailure(502);
    private double startMillis = 5;
    private IntPredicate reconnects = place -> place == 0;
    private HostFigures client = new HostFigures(Map.of());

    /** Twelve users, ten seconds. */
    RandomPhase(long seed) {
        this(seed, 12, 10_000, 3);
    }

    /** Users who pause for up to so many milliseconds. */
    public RandomPhase(long seed, int users, double lengthMillis, double thinkMillis) {
        // Neighbouring seeds begin with nearly the same number.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.users = users;
        this.lengthMillis = lengthMillis;
        this.thinkMillis = thinkMillis;
    }

    /** With failures. */
    public RandomPhase failing(Outcome outcome, Predicate<Asked> such) {
        failure = outcome;
        failing = such;
        return this;
    }

    /** With operations that each user asks for in turn. */
    public RandomPhase asking(String... operations) {
        names = List.of(operations);
        sampler = new RequestSampler(1, names.size());
        tallies = tallies();
        return this;
    }

    /** With connections that so many users share each. */
    public RandomPhase sharing(int some) {
        sampler = new RequestSampler(1, names.size(), some, Optional.empty());
        return this;
    }

    private List<Tally> tallies() {
        return Stream.generate(Tally::new).limit(names.size()).toList();
    }

    /** With a new connection for each such request of a user. */
    public RandomPhase reconnecting(IntPredicate such) {
        reconnects = such;
        return this;
    }

    /** With figures of the client's machine in each second. */
    public RandomPhase onClient(Map<String, Double> figures) {
        client = new HostFigures(figures);
        return this;
    }

    /** With users who begin within some time. */
    public RandomPhase starting(double withinMillis) {
        startMillis = withinMillis;
        return this;
    }

    /** A number between others. */
    public double between(double least, double most) {
        return least + (most - least) * random.nextDouble();
    }

    /** A factor around 1. */
    public double noise(double sigma) {
        return Math.exp(sigma * random.nextGaussian());
    }

    public double uniform() {
        return random.nextDouble();
    }

    public boolean chance(double share) {
        return random.nextDouble() < share;
    }

    /** Closed users whose requests take so many milliseconds. */
    public Facts facts(ToDoubleFunction<Asked> millis) {
        return series(millis).facts().get(0);
    }

    /** The same as a rule gets it. */
    public PhaseSeries series(ToDoubleFunction<Asked> millis) {
        for (int user = 0; user < users; user++) {
            double now = startMillis * uniform();
            for (int i = 0; now < lengthMillis; i++) {
                Asked asked = new Asked(now, user, i, (long) (10_000 * uniform()), i % names.size());
                double took = millis.applyAsDouble(asked) * noise(0.005);
                add(asked, took);
                now += took + thinkMillis * uniform();
            }
        }
        List<Interval> intervals = new ArrayList<>();
        for (List<Tally> second : seconds) {
            intervals.add(new Interval("peak", Duration.ofSeconds(intervals.size()), Duration.ofSeconds(1), second)
                    .withClient(client));
        }
        Duration wall = Duration.ofSeconds(seconds.size());
        return new PhaseSeries(
                Wording.REQUESTS,
                "peak",
                users,
                wall,
                Load.Closed.AT_ONCE,
                Duration.ofSeconds(10),
                names,
                tallies,
                Tallies.sum(tallies),
                SeriesRecorder.of(intervals).of("peak"),
                Facts.of(RequestSample.of(List.of(sampler), 0), names, tallies, wall));
    }

    /** A service that stands still at even distances: requests in it wait for its end. */
    Facts stalling(double periodMillis, double stallMillis, double usualMillis) {
        return facts(asked -> {
            double since = asked.atMillis() % periodMillis;
            double start = periodMillis - stallMillis;
            double wait = since >= start ? periodMillis - since : 0;
            return usualMillis * Math.exp(0.2 * random.nextGaussian()) + wait;
        });
    }

    private void add(Asked asked, double millis) {
        long at = (long) (asked.atMillis() * 1e6);
        long nanos = (long) (millis * 1e6);
        boolean fails = failing.test(asked);
        Sample sample = new Sample(
                asked.operation(),
                at,
                new Exchange(
                        at,
                        nanos,
                        at + nanos,
                        fails ? failure : Outcome.SUCCESS,
                        fails && failure instanceof Outcome.HttpFailure http ? http.status() : 200,
                        asked.bytes(),
                        reconnects.test(asked.place()) ? new SetUp(0, 100_000, -1) : null,
                        false,
                        0,
                        null,
                        Exchange.NO_LEASE));
        tallies.get(asked.operation()).add(sample);
        int second = (int) ((at + nanos) / 1_000_000_000);
        while (seconds.size() <= second) {
            seconds.add(tallies());
        }
        seconds.get(second).get(asked.operation()).add(sample);
        sampler.add(asked.user(), sample, any -> null);
    }
}
