package io.phaseload.user;

import io.phaseload.journey.JourneyData;
import io.phaseload.journey.Program;
import io.phaseload.journey.Session;
import io.phaseload.measure.Exchange;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The shared state and the counts of one phase's journeys. Thread-safe. */
public final class JourneyPhase {

    /** Told of what is timed as a whole. */
    @FunctionalInterface
    public interface Recording {

        /**
         * A journey or a group is over.
         *
         * @param timed its index among what the scenario has timed
         * @param dueNanos the time when its first request was due
         * @param exchange the time that it took, and whether all of it succeeded
         */
        void timed(int timed, long dueNanos, Exchange exchange);
    }

    private final JourneyData data;
    private final List<Program> programs;
    private final int[] turns;
    private final int timed;
    private final Map<String, LongAdder> notSent = new ConcurrentHashMap<>();
    private final LongAdder unasked = new LongAdder();

    /**
     * Of a phase in which nothing was sent.
     *
     * @param plan has journeys
     * @param phase its name
     * @param data the run's
     */
    public JourneyPhase(Plan plan, String phase, JourneyData data) {
        Journeys journeys = plan.scenario().journeys().orElseThrow();
        this.data = data;
        this.programs = Program.all(plan);
        this.turns = journeys.turns(phase);
        this.timed = journeys.timed().size();
    }

    Course newCourse(int user, SplittableRandom random, Recording recording, @Nullable Traces traces) {
        Session session = new Session(data, user, random.split());
        return new JourneyCourse(this, session, random, recording, traces);
    }

    /** Which journey it is at a user's or an arrival's turn. */
    int journey(long turn) {
        return turns[(int) (turn % turns.length)];
    }

    Program program(int journey) {
        return programs.get(journey);
    }

    int timed() {
        return timed;
    }

    void notSent(UnsentReason reason, long requests) {
        notSent.computeIfAbsent(reason.key(), of -> new LongAdder()).add(requests);
    }

    /** A response asked for a request that the plan doesn't have. */
    void added() {
        unasked.decrement();
    }

    void unasked(long requests) {
        unasked.add(requests);
    }

    /** {@return the number of unsent requests of journeys that began: by reason} */
    public Map<String, Long> notSent() {
        Map<String, Long> counts = new TreeMap<>();
        notSent.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** {@return the number of requests whose conditions didn't hold: less those that responses asked for} */
    public long unasked() {
        return unasked.sum();
    }
}
