package io.phaseload.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.result.Figures;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.Result;
import java.util.Optional;

/**
 * What one agent had to do with a run. What isn't known is empty.
 *
 * @param name its name
 * @param host its machine's
 * @param weight its part of the load, compared with others'
 * @param part which part that was
 * @param folder its own results folder, on its machine
 * @param lost why it was lost, if it was
 * @param measured its own figures of the measured phases
 * @param verdict on its own measurement
 * @param clock by how much its clock is ahead of the coordinator's
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record AgentSection(
        String name,
        String host,
        int weight,
        String part,
        Optional<String> folder,
        Optional<String> lost,
        Optional<Measured> measured,
        Optional<String> verdict,
        Optional<Clock> clock) {

    /**
     * Its figures.
     *
     * @param requests that it sent
     * @param failed of these
     * @param requestsPerSecond while it was in these phases
     * @param p50Ms of its response times; empty with too few
     * @param p99Ms of its response times; empty with too few
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Measured(
            long requests,
            long failed,
            double requestsPerSecond,
            Optional<Double> p50Ms,
            Optional<Double> p99Ms) {

        static Measured of(Figures figures) {
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
     * Its clock, as last measured: {@link System#nanoTime()} on both machines.
     *
     * @param offsetMs how far it is ahead
     * @param boundMs how far that may be from the truth, whatever the routes are like
     * @param roundTripMs the quickest exchange
     * @param exchanges how many there were
     * @param consistent whether all of them can be true; if not, a clock was stepped
     */
    public record Clock(
            double offsetMs,
            double boundMs,
            double roundTripMs,
            int exchanges,
            boolean consistent) {

        static Clock of(ClockOffset offset) {
            return new Clock(
                    offset.middle() / 1e6,
                    offset.error(offset.measured()) / 1e6,
                    offset.delay() / 1e6,
                    offset.exchanges(),
                    offset.consistent());
        }
    }

    static AgentSection of(Member member, Optional<Result> result) {
        return new AgentSection(
                member.name(),
                member.host(),
                member.weight(),
                member.part().toString(),
                member.folder(),
                member.lost(),
                result.map(own -> Measured.of(own.measured())),
                result.map(own -> own.verdict().status().name()),
                member.offset().map(Clock::of));
    }
}
