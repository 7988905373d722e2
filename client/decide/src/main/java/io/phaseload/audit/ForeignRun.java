package io.phaseload.audit;

import java.util.List;
import java.util.Optional;

/**
 * The figures of another tool's result. A number that the file doesn't have is NaN.
 *
 * @param format of the file
 * @param requests the number of requests
 * @param failed those that failed
 * @param seconds the time from the first request to the last response
 * @param users mean number of users while it ran
 * @param mostUsers the most that the tool had
 * @param busySeconds mean time that a user needed for an iteration, with pauses, times the number of iterations
 * @param notStarted iterations that the tool gave up for want of a free user
 * @param times of all requests
 * @param parts operations, if there are several
 * @param each the requests one by one, if the file has them
 */
record ForeignRun(
        ForeignFormat format,
        double requests,
        double failed,
        double seconds,
        double users,
        double mostUsers,
        double busySeconds,
        double notStarted,
        ForeignTimes times,
        List<Part> parts,
        Optional<ForeignRequests> each) {

    /**
     * An operation.
     *
     * @param name of the tool
     * @param requests the number of its requests
     * @param times of its requests
     */
    record Part(String name, double requests, ForeignTimes times) {}

    /** The run of a file that has no users, operations and single requests. */
    static ForeignRun totals(ForeignFormat format, double requests, double failed, double seconds, ForeignTimes times) {
        double unknown = Double.NaN;
        return new ForeignRun(
                format, requests, failed, seconds, unknown, unknown, unknown, 0, times, List.of(), Optional.empty());
    }

    /** X. */
    double perSecond() {
        return requests / seconds;
    }

    /** L = X·R, the mean number of requests that wait for a response. */
    double waiting() {
        return perSecond() * times.mean() / 1e3;
    }

    /** The same with a number of users that the file doesn't have. */
    ForeignRun withUsers(double number) {
        return new ForeignRun(
                format, requests, failed, seconds, number, number, busySeconds, notStarted, times, parts, each);
    }
}
