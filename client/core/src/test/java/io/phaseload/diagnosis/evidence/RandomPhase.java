package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.RequestSample;
import io.phaseload.measure.RequestSampler;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Ten seconds of twelve users of a made-up service, with noise. */
final class RandomPhase {

    /** What a service may decide by. */
    record Asked(double atMillis, int user, int place, long bytes) {}

    static final int USERS = 12;
    private static final double LENGTH = 10_000;

    private final Random random;
    private final RequestSampler sampler = new RequestSampler(1, 1);
    private final Tally tally = new Tally();

    RandomPhase(long seed) {
        random = new Random(seed);
    }

    double uniform() {
        return random.nextDouble();
    }

    boolean chance(double share) {
        return random.nextDouble() < share;
    }

    /** Closed users whose requests take so many milliseconds, more or less by a fifth. */
    Facts facts(ToDoubleFunction<Asked> millis) {
        for (int user = 0; user < USERS; user++) {
            double now = 5 * uniform();
            for (int i = 0; now < LENGTH; i++) {
                Asked asked = new Asked(now, user, i, (long) (10_000 * uniform()));
                double took = millis.applyAsDouble(asked) * Math.exp(0.005 * random.nextGaussian());
                add(asked, took);
                now += took + 3 * uniform();
            }
        }
        return Facts.of(
                        RequestSample.of(List.of(sampler), 0),
                        List.of("GET /"),
                        List.of(tally),
                        Duration.ofMillis((long) LENGTH))
                .get(0);
    }

    /** A service that stands still at even distances: requests in it wait for its end. */
    Facts stalling(double periodMillis, double stallMillis, double usualMillis) {
        return facts(
                asked -> {
                    double since = asked.atMillis() % periodMillis;
                    double start = periodMillis - stallMillis;
                    double wait = since >= start ? periodMillis - since : 0;
                    return usualMillis * Math.exp(0.2 * random.nextGaussian()) + wait;
                });
    }

    private void add(Asked asked, double millis) {
        long at = (long) (asked.atMillis() * 1e6);
        long nanos = (long) (millis * 1e6);
        SetUp setUp = asked.place() == 0 ? new SetUp(0, 100_000, -1) : null;
        Sample sample =
                new Sample(
                        0,
                        at,
                        new Exchange(
                                at,
                                nanos,
                                at + nanos,
                                Outcome.SUCCESS,
                                200,
                                asked.bytes(),
                                setUp,
                                false,
                                false,
                                null));
        tally.add(sample);
        sampler.add(asked.user(), sample);
    }
}
