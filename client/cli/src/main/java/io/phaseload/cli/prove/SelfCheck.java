package io.phaseload.cli.prove;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.result.Environment;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.Result;
import io.phaseload.result.SelfProof;
import io.phaseload.result.SelfProof.Check;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The client's check of itself: as fast as it can, at a rate, and through a freeze. */
final class SelfCheck {

    private static final int USERS = 20;
    private static final Duration USUAL = Duration.ofMillis(10);
    private static final Duration SLOW = Duration.ofMillis(60);
    private static final Duration FREEZE = Duration.ofMillis(500);

    /** The kernel's part in a time, which the target doesn't see, and late timers. */
    private static final double TOLERANCE_MS = 1;

    private static final double TOLERANCE = 0.05;

    private final SelfTarget target;
    private final int rate;
    private final Duration length;

    private SelfCheck(SelfTarget target, int rate, Duration length) {
        this.target = target;
        this.rate = rate;
        this.length = length;
    }

    /**
     * Checks this client on this machine.
     *
     * @param rate requests per second
     * @param length of each of its parts: a p99 needs 563 requests
     */
    static SelfProof run(int rate, Duration length) throws IOException {
        try (SelfTarget target = SelfTarget.start()) {
            return new SelfProof(
                    Instant.now(),
                    Environment.currentVersion(),
                    System.getProperty("java.version", ""),
                    new SelfCheck(target, rate, length).checks());
        }
    }

    private List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        target.take(Duration.ZERO, Duration.ZERO);
        Result fast = run(new Phase("fast", 1, new PhaseLength.Lasting(length.dividedBy(2)), Load.Closed.AT_ONCE));
        checks.add(new Check("requests", target.served(), fast.totals().requests(), 0));
        checks.add(new Check("failed requests", 0, fast.totals().failed(), 0));

        target.take(USUAL, SLOW);
        Load open = new Load.Open(new ConstantArrivals(Rate.perSecond(rate)), Load.Overload.QUEUE);
        Phase atARate = new Phase("rate", 1, new PhaseLength.Lasting(length), open);
        Result steady = run(atARate);
        checks.add(
                new Check("requests at a rate", target.served(), steady.totals().requests(), 0));
        for (double percent : new double[] {50, 95, 99}) {
            LatencyValue value = percentile(steady, percent);
            checks.add(check("p%.0f (ms)".formatted(percent), target.millis(percent), millis(value)));
        }

        target.take(USUAL, USUAL);
        target.freeze(length.dividedBy(2), FREEZE);
        Result frozen = run(atARate);
        double usual = USUAL.toMillis();
        double known = target.millis(100) - usual;
        checks.add(
                freeze("freeze (ms)", known, millis(frozen.totals().response().max()) - usual));
        // One in a hundred is slower: those that were due in the first part of the freeze.
        double left = length.toMillis() / 100.0;
        checks.add(freeze(
                "p99 with the freeze (ms)",
                known - left + usual,
                millis(frozen.totals().response().p99())));
        return checks;
    }

    private static LatencyValue percentile(Result result, double percent) {
        var times = result.totals().time(Timing.SERVICE);
        return percent == 50 ? times.p50() : percent == 95 ? times.p95() : times.p99();
    }

    private static Check check(String figure, double known, double measured) {
        return new Check(figure, known, measured, TOLERANCE_MS + TOLERANCE * known);
    }

    /** None may be due just when the freeze begins. */
    private Check freeze(String figure, double known, double measured) {
        return new Check(figure, known, measured, 1_000.0 / rate + TOLERANCE * known);
    }

    /** Zero fails the check, if the client sent too few requests for the figure. */
    private static double millis(LatencyValue value) {
        return value.value().map(time -> time.toNanos() / 1e6).orElse(0.0);
    }

    private Result run(Phase phase) {
        Plan plan = Plan.builder(target.url())
                .name("prove")
                .operations(Operation.get("/"))
                .threads(phase.load() instanceof Load.Open ? USERS : 4)
                .phases(phase)
                .build();
        try (ThreadsLoadClient client = ThreadsLoadClient.of(plan)) {
            return client.run();
        }
    }
}
