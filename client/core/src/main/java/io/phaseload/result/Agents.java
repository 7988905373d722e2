package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;

/**
 * What each agent had to do with a run that several of them sent. What isn't known is empty.
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
     * @param part which part that was, such as {@code 2/3}
     * @param folder its own results folder, on its machine
     * @param lost what became of it, if it was lost
     * @param measured its own figures of the measured phases
     * @param verdict on its own measurement
     * @param difference from the others; empty with less than ten seconds, or without others
     * @param clocks its clock, compared with the coordinator's: before, between and after phases
     * @param drift how much faster its clock runs, if it does so evenly; empty if it was measured less than twice
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
     * What is missing of an agent that was lost.
     *
     * @param why it was
     * @param lastSecond when the last second that it told of ended: seconds since its run began
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
     * @param drift how much faster the first one's clock runs, if both do so evenly; empty if they were compared less
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
     * @param seconds when it was measured, since the run began
     * @param offsetMs how far it is ahead
     * @param boundMs how far that may be from the truth, whatever the routes are like
     * @param estimateMs the offset by the quickest exchange, if both its messages took equally long
     * @param roundTripMs the quickest exchange
     * @param roundTripP50Ms the median exchange
     * @param roundTripP99Ms the slowest but for 1 %
     * @param exchanges how many there were
     * @param consistent whether all of them can be true; if not, a clock was stepped
     * @param timeOfDay how far its time of day is ahead; empty in results of earlier versions
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
     * @param aheadMs how far it is ahead
     * @param boundMs how far that may be from the truth
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
     * What chrony says of a machine's time of day.
     *
     * @param aheadMs how far it is ahead of the time that it is kept to, or of another machine that is kept to the same
     * @param boundMs how far the truth may be from that
     */
    public record Chrony(double aheadMs, double boundMs) {}

    /**
     * How well the agents started a phase together, by the coordinator's clock.
     *
     * @param phase its name
     * @param spreadMs from the first agent's start to the last one's
     * @param errorMs how far the truth may be from that, since clocks are known only so well
     * @param lateMs the last start after the time that was ordered
     * @param readyLast who was ready for the phase notably later than all others
     * @param endedLast whose users ended it notably later than all others
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
