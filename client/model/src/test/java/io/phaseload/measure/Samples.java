package io.phaseload.measure;

import io.phaseload.plan.check.Metric;
import io.phaseload.timing.InstanceState;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes samples for tests. */
public final class Samples {

    private static final List<Outcome> OUTCOMES = List.of(
            Outcome.SUCCESS,
            Outcome.SUCCESS,
            Outcome.SUCCESS,
            new Outcome.HttpFailure(500),
            new Outcome.HttpFailure(503),
            Outcome.NoResponse.READ_TIMEOUT,
            Outcome.NoResponse.CONNECT_TIMEOUT,
            new Outcome.Reset(Outcome.Reset.Stage.IN_BODY),
            new Outcome.TlsFailure("bad certificate"));

    private static final Metric ELAPSED = new Metric("elapsed", "/elapsed", "ms");

    private Samples() {}

    /** A sample of an operation, sent in time, that came to something after some nanoseconds. */
    public static Sample of(int operation, Outcome outcome, long nanos) {
        long sent = 1_000;
        return new Sample(operation, sent, Exchanges.of(sent, sent + nanos, outcome, 0, 0, false));
    }

    public static Sample success(long nanos) {
        return of(0, Outcome.SUCCESS, nanos);
    }

    /** A sample of the first operation, in which everything is left to chance. */
    public static Sample random(Random random) {
        long intended = random.nextLong();
        long sent = intended + random.nextInt(1_000_000);
        long end = sent + (long) Math.pow(10, random.nextDouble() * 12);
        Exchange exchange = new Exchange(
                sent,
                random.nextBoolean() ? (end - sent) / 3 : -1,
                end,
                outcome(random),
                200 + random.nextInt(3),
                random.nextInt(10_000),
                setUp(random),
                random.nextBoolean(),
                random.nextBoolean() ? 1 : 0,
                instance(random),
                Exchange.NO_LEASE);
        return new Sample(0, intended, exchange, random.nextBoolean());
    }

    private static Outcome outcome(Random random) {
        int index = random.nextInt(OUTCOMES.size() + 1);
        return index < OUTCOMES.size()
                ? OUTCOMES.get(index)
                : new Outcome.Success(Map.of(ELAPSED, (double) random.nextInt(1_000)));
    }

    private static Exchange.SetUp setUp(Random random) {
        int most = 100_000_000;
        return switch (random.nextInt(4)) {
            case 0 -> new Exchange.SetUp(random.nextInt(most), random.nextInt(most), -1);
            case 1 -> new Exchange.SetUp(random.nextInt(most), random.nextInt(most), random.nextInt(most));
            default -> null;
        };
    }

    private static InstanceState instance(Random random) {
        int index = random.nextInt(2 * InstanceState.values().length);
        return index < InstanceState.values().length ? InstanceState.values()[index] : null;
    }
}
