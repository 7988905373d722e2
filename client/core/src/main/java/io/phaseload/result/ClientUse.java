package io.phaseload.result;

import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.health.RunQueueWait;
import io.phaseload.health.Stalls;
import io.phaseload.health.SystemUse;
import io.phaseload.health.UsersTime;
import io.phaseload.verdict.Tail;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What happened to the client itself in a phase. What the system doesn't report is {@code null},
 * and so is what earlier versions didn't measure.
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
 */
public record ClientUse(
        double cpuSeconds,
        double cpuPercent,
        double gcSeconds,
        StallsJson stalls,
        Double runQueueSeconds,
        Long runQueueTurns,
        Double stolenPercent,
        Double idlePercent,
        Double throttledSeconds,
        Double suspendedSeconds,
        LagJson loopLag,
        Contaminated contaminated,
        UsersJson users) {

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

        static UsersJson of(UsersTime time) {
            return new UsersJson(
                    time.users(),
                    time.tookPart(),
                    ClientUse.seconds(time.total()),
                    ClientUse.seconds(time.responding()),
                    ClientUse.seconds(time.connecting()),
                    ClientUse.seconds(time.pausing()),
                    ClientUse.seconds(time.ramping()),
                    ClientUse.seconds(time.done()),
                    ClientUse.seconds(time.firstConnecting()),
                    ClientUse.seconds(time.unscheduled()),
                    ClientUse.seconds(time.missing()),
                    time.accounted() * 100);
        }

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

    static ClientUse of(ClientHealth client, long stalled, Tail tail) {
        ClientLoad load = client.load();
        Stalls stalls = client.stalls();
        SystemUse system = client.system();
        return new ClientUse(
                seconds(load.cpu()),
                load.cpuShare() * 100,
                seconds(load.gc()),
                new StallsJson(
                        stalls.count(),
                        seconds(stalls.total()),
                        seconds(stalls.longest()) * 1_000,
                        seconds(stalls.stopped())),
                system.runQueue().map(wait -> seconds(wait.total())).orElse(null),
                system.runQueue().map(RunQueueWait::turns).orElse(null),
                system.stolen().map(part -> part * 100).orElse(null),
                system.idle().map(part -> part * 100).orElse(null),
                system.throttled().map(ClientUse::seconds).orElse(null),
                system.suspended().map(ClientUse::seconds).orElse(null),
                new LagJson(
                        seconds(client.loopLag().late()),
                        seconds(client.loopLag().longest()) * 1_000),
                new Contaminated(
                        stalled,
                        tail.percentile(),
                        tail.share() * 100,
                        client.contaminated().stream()
                                .map(span -> new SpanJson(seconds(span.from()), seconds(span.to())))
                                .toList()),
                client.usersTime().map(UsersJson::of).orElse(null));
    }

    /**
     * What users did with their time.
     *
     * @return empty in an open phase, and if it wasn't measured
     */
    public Optional<UsersTime> usersTime() {
        return Optional.ofNullable(users).map(UsersJson::toTime);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
