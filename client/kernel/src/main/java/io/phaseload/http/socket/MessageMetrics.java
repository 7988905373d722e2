package io.phaseload.http.socket;

import io.phaseload.http.request.BodyMetrics;
import io.phaseload.journey.CompiledTemplate;
import io.phaseload.journey.Session;
import io.phaseload.journey.Slots;
import io.phaseload.plan.check.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The numbers that a step records of the message that it expected. Immutable, and shared by all users. */
final class MessageMetrics {

    private record Since(Metric metric, CompiledTemplate moment) {}

    private final BodyMetrics numbers;
    private final List<Since> times = new ArrayList<>();

    MessageMetrics(List<Metric> metrics, Slots slots) {
        numbers = new BodyMetrics(
                metrics.stream().filter(metric -> !metric.isSince()).toList());
        for (Metric metric : metrics) {
            metric.moment()
                    .map(text -> CompiledTemplate.body(text, slots))
                    .ifPresent(moment -> times.add(new Since(metric, moment)));
        }
    }

    /** {@return true if a step records nothing, as most do} */
    boolean isEmpty() {
        return times.isEmpty() && numbers.isEmpty();
    }

    /**
     * Reads them all, after the message's values were taken.
     *
     * @param receivedMicros the time of its receipt, in µs since 1970
     * @param values receives them
     * @return the first one that isn't there as a number; {@code null} if all are
     */
    @Nullable Metric read(byte[] message, Session session, long receivedMicros, Map<Metric, Double> values) {
        for (Since since : times) {
            try {
                double moment = Double.parseDouble(since.moment().value(session));
                values.put(since.metric(), receivedMicros / micros(since.metric()) - moment);
            } catch (NumberFormatException notNumber) {
                return since.metric();
            }
        }
        return numbers.isEmpty() ? null : numbers.read(message, values);
    }

    /** {@return the length of such a metric's unit, in µs} */
    static double micros(Metric metric) {
        return switch (metric.unit()) {
            case "s" -> 1e6;
            case "ms" -> 1e3;
            default -> 1;
        };
    }
}
