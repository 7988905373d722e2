package io.phaseload.result;

import io.phaseload.stats.UsersTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened to the client itself in a phase. What the system doesn't report is empty, and so is
 * what earlier versions didn't measure.
 *
 * @param cpuSeconds CPU time of all the process's threads
 * @param cpuPercent of the CPU that the machine has, 0 to 100
 * @param gcSeconds time spent in GC pauses
 * @param stalls the process's stalls
 * @param runQueueSeconds how long the threads that send requests waited for a CPU, all together
 * @param runQueueTurns how often they were given one
 * @param stolenPercent of the machine's CPU time that its hypervisor gave to others
 * @param idlePercent of the machine's CPU time that nobody used
 * @param throttledSeconds how long the control group's limit kept threads from running
 * @param suspendedSeconds how long the machine was suspended
 * @param loopLag how late the latest event loop was
 * @param contaminated the requests that stalls affected
 * @param users what users did with their time, in a closed phase
 * @param figures what is known of its seconds, by name, as in {@code intervals.csv}
 */
public record ClientUse(
        double cpuSeconds,
        double cpuPercent,
        double gcSeconds,
        StallsJson stalls,
        Optional<Double> runQueueSeconds,
        Optional<Long> runQueueTurns,
        Optional<Double> stolenPercent,
        Optional<Double> idlePercent,
        Optional<Double> throttledSeconds,
        Optional<Double> suspendedSeconds,
        LagJson loopLag,
        Contaminated contaminated,
        Optional<UsersJson> users,
        Map<String, Spread> figures) {

    /**
     * Stalls of the process.
     *
     * @param count how often
     * @param seconds how long, all together
     * @param longestMs how long at most
     * @param stoppedSeconds the part of it in which the process was stopped
     */
    public record StallsJson(long count, double seconds, double longestMs, double stoppedSeconds) {}

    /**
     * How late the latest event loop was.
     *
     * @param seconds all together
     * @param longestMs at most
     */
    public record LagJson(double seconds, double longestMs) {}

    /**
     * The requests that stalls affected.
     *
     * @param requests how many
     * @param tailPercentile above which requests are the tail, such as 99
     * @param tailPercent how many of those were affected, 0 to 100
     * @param spans the seconds in which they ended
     */
    public record Contaminated(
            long requests, int tailPercentile, double tailPercent, List<SpanJson> spans) {}

    /**
     * A part of a run.
     *
     * @param fromSeconds its start, since the run's start
     * @param toSeconds its end
     */
    public record SpanJson(double fromSeconds, double toSeconds) {}

    /**
     * What users did with their time; see {@link UsersTime}.
     *
     * @param count how many there were
     * @param tookPart how many sent a request
     * @param seconds users × wall time
     * @param respondingSeconds waiting for responses
     * @param connectingSeconds making connections after the first one
     * @param pausingSeconds thinking, pacing, backing off from a target that can't be reached
     * @param rampingSeconds not yet to begin
     * @param doneSeconds with nothing more to send
     * @param firstConnectingSeconds making their first connections
     * @param unscheduledSeconds to begin, but without a CPU
     * @param missingSeconds none of these
     * @param accountedPercent of the time in which they were to send: responses, connections,
     *     pauses
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

    ClientUse with(Map<String, Spread> known) {
        return new ClientUse(
                cpuSeconds,
                cpuPercent,
                gcSeconds,
                stalls,
                runQueueSeconds,
                runQueueTurns,
                stolenPercent,
                idlePercent,
                throttledSeconds,
                suspendedSeconds,
                loopLag,
                contaminated,
                users,
                known);
    }

    /**
     * What users did with their time.
     *
     * @return empty in an open phase, and if it wasn't measured
     */
    public Optional<UsersTime> usersTime() {
        return users.map(UsersJson::toTime);
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
