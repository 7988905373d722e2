package io.phaseload.result.json;

import io.phaseload.plan.check.Figure.Statistic;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.TooFewSamples;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes a distribution: a value without a time is {@code null}, and {@code unsupported} says why if anything was
 * measured.
 */
final class LatencyJson extends StdSerializer<Latency> {

    LatencyJson() {
        super(Latency.class);
    }

    @Override
    public void serialize(Latency latency, JsonGenerator out, SerializationContext context) {
        Map<String, LatencyValue> values = new LinkedHashMap<>();
        values.put("meanMs", latency.mean());
        values.put("standardDeviationMs", latency.standardDeviation());
        for (Statistic statistic : Statistic.values()) {
            values.putIfAbsent(statistic.toString().replace(".", "") + "Ms", latency.value(statistic));
        }
        out.writeStartObject(latency);
        out.writeNumberProperty("samples", latency.samples());
        values.forEach(
                (name, value) -> out.writePOJOProperty(name, value.value().orElse(null)));
        out.writeObjectPropertyStart("unsupported");
        values.forEach((name, value) -> {
            if (value instanceof TooFewSamples few && few.samples() > 0) {
                out.writeStringProperty(name, few.toString());
            }
        });
        out.writeEndObject();
        out.writeEndObject();
    }
}
