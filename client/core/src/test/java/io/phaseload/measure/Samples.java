package io.phaseload.measure;

import java.util.List;
import java.util.Random;

/** Makes samples for tests. */
final class Samples {

    private static final List<Outcome> OUTCOMES =
            List.of(
                    Outcome.SUCCESS,
                    Outcome.SUCCESS,
                    Outcome.SUCCESS,
                    new Outcome.HttpFailure(500),
                    new Outcome.HttpFailure(503),
                    new Outcome.ReadTimeout(),
                    new Outcome.ConnectTimeout(),
                    new Outcome.Reset(Outcome.Reset.Stage.IN_BODY),
                    new Outcome.TlsFailure("bad certificate"));

    private Samples() {}

    /** A sample of an operation, sent in time, that came to something after some nanoseconds. */
    static Sample of(int operation, Outcome outcome, long nanos) {
        long sent = 1_000;
        return new Sample(operation, sent, Exchanges.of(sent, sent + nanos, outcome, 0, 0, false));
    }

    static Sample success(long nanos) {
        return of(0, Outcome.SUCCESS, nanos);
    }

    /** A sample of the first operation, in which everything is left to chance. */
    static Sample random(Random random) {
        long intended = random.nextLong();
        long sent = intended + random.nextInt(1_000_000);
        long end = sent + (long) Math.pow(10, random.nextDouble() * 12);
        long setUp = random.nextInt(4) == 0 ? 1 + random.nextInt(100_000_000) : 0;
        Outcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
        return new Sample(
                0,
                intended,
                Exchanges.of(
                        sent, end, outcome, random.nextInt(10_000), setUp, random.nextBoolean()));
    }
}
