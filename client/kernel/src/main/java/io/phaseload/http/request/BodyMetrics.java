package io.phaseload.http.request;

import io.phaseload.plan.check.Metric;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** The numbers that an operation reads from bodies in JSON. Immutable, and shared by all users. */
public final class BodyMetrics {

    private final List<Metric> metrics;

    /** Those of an operation. */
    public BodyMetrics(List<Metric> metrics) {
        this.metrics = metrics;
    }

    /** {@return true if there are none, so that no body is needed} */
    public boolean isEmpty() {
        return metrics.isEmpty();
    }

    /**
     * Reads them all.
     *
     * @param body the first MiB of one
     * @param values receives them
     * @return the first one that isn't there as a number; {@code null} if all are
     */
    public @Nullable Metric read(byte[] body, Map<Metric, Double> values) {
        JsonNode json = json(body);
        for (Metric metric : metrics) {
            JsonNode value = json.at(metric.pointer());
            if (!value.isNumber()) {
                return metric;
            }
            values.put(metric, value.doubleValue());
        }
        return null;
    }

    private static JsonNode json(byte[] body) {
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException notJson) {
            return MissingNode.getInstance();
        }
    }
}
