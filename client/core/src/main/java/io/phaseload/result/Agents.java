package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;

/**
 * The part of each agent in a run of several. Unknown values are empty.
 *
 * @param members one or more
 * @param starts one per phase that was started
 * @param peerClocks agents' clocks, compared with each other: one per pair; empty with one agent, or with so many that
 *     there are too many pairs
 */
public record Agents(
        List<Agent> members,
        List<Start> starts,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY) List<PeerClocks> peerClocks) {

    /** Copies the lists. */
    public Agents {
        members = List.copyOf(members);
        starts = List.copyOf(starts);
        peerClocks = List.copyOf(peerClocks);
    }

    /**
     * One agent.
     *
     * @param name its name
     * @param host its machine's
     * @param weight its part of the load, compared with others'
     * @param part its part, such as {@code 2/3}
     * @param folder its own results folder, on its machine
     * @param lost its loss, if it was lost
     * @param measured its own figures of the measured phases
     * @param verdict on its own measurement
     * @param difference from the others; empty with less than ten seconds, or without others
     * @param clocks its clock, compared with the coordinator's: before, between and after phases
     * @param drift the drift of its clock, if it is even; empty if it was measured less than twice
     * @param chrony its time of day, as chrony there said last; empty without one
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Agent(
            String name,
            String host,
            int weight,
            String part,
            Optional<String> folder,
            Optional<Lost> lost,
            Optional<Measured> measured,
            Optional<String> verdict,
            Optional<Difference> difference,
            List<Clock> clocks,
            Optional<Drift> drift,
            Optional<Chrony> chrony) {

        /** Copies the list. */
        public Agent {
            clocks = List.copyOf(clocks);
        }

        /** {@return its clock as last measured} */
        @JsonIgnore
        public Optional<Clock> clock() {
            return clocks.isEmpty() ? Optional.empty() : Optional.of(clocks.get(clocks.size() - 1));
        }
    }

    /**
     * The missing part of a lost agent.
     *
     * @param why it was
     * @param lastSecond the end of its last second: seconds since its run began
     * @param missingSeconds from then to the end of the run
     * @param missingRequests about how many it was to send in that time: what the others sent, in proportion to their
     *     parts. It may have sent some of them
     */
    public record Lost(String why, double lastSecond, double missingSeconds, long missingRequests) {}

    /**
     * An agent's figures.
     *
     * @param requests that it sent
     * @param failed of these
     * @param requestsPerSecond while it was in these phases
     * @param p50Ms of its response times; empty with too few
     * @param p99Ms of its response times; empty with too few
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Measured(
            long requests, long failed, double requestsPerSecond, Optional<Double> p50Ms, Optional<Double> p99Ms) {

        /**
         * The figures of an agent's own result.
         *
         * @param figures of its measured phases
         * @return the same, shortened
         */
        public static Measured of(Figures figures) {
            return new Measured(
                    figures.requests(),
                    figures.failed(),
                    figures.requestsPerSecond(),
                    millis(figures.response().p50()),
                    millis(figures.response().p99()));
        }

        private static Optional<Double> millis(LatencyValue time) {
            return time.value().map(measured -> measured.toNanos() / 1e6);
        }
    }

    /**
     * By how much an agent's figures of a second are above those of all others together, in the middle: 100 is twice as
     * much.
     *
     * @param p50Percent its median response time
     * @param p50ErrorPercent half the width of that one's 95 % interval
     * @param ratePercent its requests per second, in proportion to its part
     * @param rateErrorPercent half the width of that one's 95 % interval
     */
    public record Difference(double p50Percent, double p50ErrorPercent, double ratePercent, double rateErrorPercent) {}

    /**
     * An agent's clock, compared with another agent's.
     *
     * @param agent its name
     * @param against the other one's
     * @param clocks before, between and after phases; one or more
     * @param drift the drift of the first clock against the second, if it is even; empty if they were compared less
     *     than twice
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record PeerClocks(String agent, String against, List<Clock> clocks, Optional<Drift> drift) {

        /** Copies the list. */
        public PeerClocks {
            clocks = List.copyOf(clocks);
        }

        /** {@return the last comparison} */
        @JsonIgnore
        public Clock last() {
            return clocks.get(clocks.size() - 1);
        }
    }

    /**
     * An agent's clock: {@link System#nanoTime()} on both machines.
     *
     * @param seconds the time when it was measured, since the run began
     * @param offsetMs the offset ahead
     * @param boundMs the largest error, whatever the routes are like
     * @param estimateMs the offset by the quickest exchange, if both its messages took equally long
     * @param roundTripMs the quickest exchange
     * @param roundTripP50Ms the median exchange
     * @param roundTripP99Ms the slowest but for 1 %
     * @param exchanges their number
     * @param consistent true if all of them can be true; if not, a clock was stepped
     * @param timeOfDay the offset of its time of day; empty in results of earlier versions
     * @param chrony the same, as chrony says on both machines; empty unless it does
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Clock(
            double seconds,
            double offsetMs,
            double boundMs,
            double estimateMs,
            double roundTripMs,
            double roundTripP50Ms,
            double roundTripP99Ms,
            int exchanges,
            boolean consistent,
            Optional<TimeOfDay> timeOfDay,
            Optional<Chrony> chrony) {}

    /**
     * The time of day on one machine, compared with another one's.
     *
     * @param aheadMs the offset ahead
     * @param boundMs the largest error
     */
    public record TimeOfDay(double aheadMs, double boundMs) {}

    /**
     * How much faster an agent's clock runs than another one: parts per million.
     *
     * @param lowPpm at least
     * @param highPpm at most; less than {@code lowPpm} if a clock was stepped, or didn't run evenly
     */
    public record Drift(double lowPpm, double highPpm) {}

    /**
     * The figures of chrony for a machine's time of day.
     *
     * @param aheadMs the offset from its reference time, or from another machine with the same reference
     * @param boundMs the largest error of that
     */
    public record Chrony(double aheadMs, double boundMs) {}

    /**
     * How well the agents started a phase together, by the coordinator's clock.
     *
     * @param phase its name
     * @param spreadMs from the first agent's start to the last one's
     * @param errorMs the largest error of that, since clocks are only known within bounds
     * @param lateMs the last start after the time that was ordered
     * @param readyLast the agent that was ready notably later than all others
     * @param endedLast the agent whose users ended it notably later than all others
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Start(
            String phase,
            double spreadMs,
            double errorMs,
            double lateMs,
            Optional<Wait> readyLast,
            Optional<Wait> endedLast) {}

    /**
     * An agent that the others waited for.
     *
     * @param agent its name
     * @param seconds after the last one of the others: 1 or more
     */
    public record Wait(String agent, double seconds) {}
}
