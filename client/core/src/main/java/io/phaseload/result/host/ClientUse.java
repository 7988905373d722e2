package io.phaseload.result.host;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.phaseload.measure.UsersTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Events of the client itself in a phase. Values that the system doesn't report, or that earlier versions didn't
 * measure, are empty.
 *
 * @param cpuSeconds CPU time of all the process's threads
 * @param cpuPercent CPU time as a percentage of the machine's CPU, 0 to 100
 * @param gcSeconds time spent in GC pauses
 * @param stalls the process's stalls
 * @param system the system's own figures
 * @param loopLag the lateness of the latest event loop
 * @param contaminated the requests that stalls affected
 * @param users the use of the users' time, in a closed phase
 * @param figures the figures of its seconds, by name, as in {@code intervals.csv}
 */
public record ClientUse(
        double cpuSeconds,
        double cpuPercent,
        double gcSeconds,
        StallsJson stalls,
        @JsonUnwrapped SystemJson system,
        LagJson loopLag,
        Contaminated contaminated,
        Optional<UsersJson> users,
        Map<String, Spread> figures) {

    /**
     * Stalls of the process.
     *
     * @param count the number of times
     * @param seconds their total length
     * @param longestMs the longest one
     * @param stoppedSeconds the part of the total in which the process was stopped
     */
    public record StallsJson(long count, double seconds, double longestMs, double stoppedSeconds) {}

    /**
     * The figures of the operating system.
     *
     * @param runQueueSeconds the time that sending threads waited for a CPU, in total
     * @param runQueueTurns the number of times that they got a CPU
     * @param stolenPercent the percentage of the machine's CPU time that its hypervisor gave to others
     * @param idlePercent the idle percentage of the machine's CPU time
     * @param throttledSeconds the time that the control group's limit kept threads from running
     * @param suspendedSeconds the time that the machine was suspended
     */
    public record SystemJson(
            Optional<Double> runQueueSeconds,
            Optional<Long> runQueueTurns,
            Optional<Double> stolenPercent,
            Optional<Double> idlePercent,
            Optional<Double> throttledSeconds,
            Optional<Double> suspendedSeconds) {}

    /**
     * The lag of the latest event loop.
     *
     * @param seconds the total lag
     * @param longestMs the longest lag
     */
    public record LagJson(double seconds, double longestMs) {}

    /**
     * The requests that stalls affected.
     *
     * @param requests the number
     * @param tailPercentile above which requests are the tail, such as 99
     * @param tailPercent the percentage of those that were affected, 0 to 100
     * @param spans the seconds in which they ended
     */
    public record Contaminated(long requests, int tailPercentile, double tailPercent, List<SpanJson> spans) {}

    /**
     * A part of a run.
     *
     * @param fromSeconds its start, since the run's start
     * @param toSeconds its end
     */
    public record SpanJson(double fromSeconds, double toSeconds) {}

    /**
     * How users spent their time; see {@link UsersTime}.
     *
     * @param count the number of users
     * @param tookPart the number of users that sent a request
     * @param seconds users × wall time
     * @param respondingSeconds waiting for responses
     * @param connectingSeconds making connections after the first one
     * @param pausingSeconds thinking, pacing, backing off from an unreachable target
     * @param rampingSeconds before their start
     * @param doneSeconds after their last request
     * @param firstConnectingSeconds making their first connections
     * @param unscheduledSeconds waiting for a CPU at their start
     * @param missingSeconds the rest
     * @param accountedPercent the percentage of the time in which they were to send that responses, connections and
     *     pauses account for
     */
    public record UsersJson(
            int count,
            int tookPart,
            double seconds,
            double respondingSeconds,
            double connectingSeconds,
            double pausingSeconds,
            double rampingSeconds,
            double doneSeconds,
            double firstConnectingSeconds,
            double unscheduledSeconds,
            double missingSeconds,
            double accountedPercent) {

        UsersTime toTime() {
            return new UsersTime(
                    count,
                    tookPart,
                    duration(seconds),
                    duration(respondingSeconds),
                    duration(connectingSeconds),
                    duration(pausingSeconds),
                    duration(rampingSeconds),
                    duration(doneSeconds),
                    duration(firstConnectingSeconds),
                    duration(unscheduledSeconds));
        }
    }

    /**
     * This use with other figures.
     *
     * @param known see {@link #figures()}
     * @return a copy
     */
    public ClientUse with(Map<String, Spread> known) {
        return new ClientUse(cpuSeconds, cpuPercent, gcSeconds, stalls, system, loopLag, contaminated, users, known);
    }

    /**
     * Converts users' time.
     *
     * @return empty for an open phase, and if it wasn't measured
     */
    public Optional<UsersTime> usersTime() {
        return users.map(UsersJson::toTime);
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
