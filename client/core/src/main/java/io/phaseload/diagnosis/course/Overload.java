package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Steadiness;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.schedule.Rate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A constant rate of which fewer requests end than are due, from the phase's start to its end, so that they wait ever
 * longer.
 *
 * @param due requests a second
 * @param ended requests a second
 * @param firstNanos the mean response time of the first quarter of the requests
 * @param lastNanos the same of the last quarter
 */
record Overload(double due, double ended, double firstNanos, double lastNanos) {

    private static final double BEHIND = 0.9;
    private static final int LEAST_SECONDS = 2;
    private static final int LEAST = 40;
    private static final double LONGER = 1.5;

    static Optional<Overload> of(PhaseSeries phase) {
        Optional<Rate> rate = phase.constantRate();
        List<Second> steady = phase.steady();
        List<SampledRequest> requests = phase.requests()
                .sorted(Comparator.comparingLong(SampledRequest::dueNanos))
                .toList();
        if (rate.isEmpty() || steady.size() < LEAST_SECONDS || requests.size() < LEAST) {
            return Optional.empty();
        }
        double due = rate.get().perSecond();
        double ended = Steadiness.of(steady, of -> of.perSecond(of.answered())).mean();
        boolean behind = steady.stream().allMatch(of -> of.perSecond(of.answered()) < BEHIND * due);
        int quarter = requests.size() / 4;
        double first = meanNanos(requests.subList(0, quarter));
        double last = meanNanos(requests.subList(requests.size() - quarter, requests.size()));
        return behind && last >= LONGER * first ? Optional.of(new Overload(due, ended, first, last)) : Optional.empty();
    }

    private static double meanNanos(List<SampledRequest> of) {
        return of.stream()
                .mapToLong(each -> each.endNanos() - each.dueNanos())
                .average()
                .orElse(0);
    }
}
