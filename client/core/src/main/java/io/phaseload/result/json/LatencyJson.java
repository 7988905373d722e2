package io.phaseload.result.json;

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
        values.put("minMs", latency.min());
        values.put("p50Ms", latency.p50());
        values.put("p75Ms", latency.p75());
        values.put("p90Ms", latency.p90());
        values.put("p95Ms", latency.p95());
        values.put("p99Ms", latency.p99());
        values.put("p999Ms", latency.p999());
        values.put("p9999Ms", latency.p9999());
        values.put("maxMs", latency.max());
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
