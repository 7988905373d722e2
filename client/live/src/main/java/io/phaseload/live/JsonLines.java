package io.phaseload.live;

import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints a run as JSON Lines: an object of the run, one at each phase's start, one each second, one at each phase's
 * end. Each has a {@code type}: {@code run}, {@code phase}, {@code second} or {@code phaseEnd}.
 */
public final class JsonLines implements RunListener {

    private final PrintStream out;
    private final Plan plan;
    private final SecondJson seconds;
    private int users;

    /** Prints nothing before the run begins. */
    public JsonLines(Plan plan, PrintStream out) {
        this.out = out;
        this.plan = plan;
        this.seconds = new SecondJson(plan);
    }

    @Override
    public void runStarted(Instant at) {
        print(SecondJson.run(plan, at));
    }

    @Override
    public void phaseStarted(Phase phase, int count) {
        users = count;
        print(json("phase").put("phase", phase.name()).put("users", count));
    }

    @Override
    public void interval(Interval interval) {
        print(seconds.inParts(interval, users));
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        print(json("phaseEnd").put("phase", phase.name()).put("wallSeconds", wall.toNanos() / 1e9));
    }

    private static ObjectNode json(String type) {
        return SecondJson.object().put("type", type);
    }

    private void print(ObjectNode json) {
        out.print(json + "\n");
        out.flush();
    }
}
