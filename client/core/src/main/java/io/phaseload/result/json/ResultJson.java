package io.phaseload.result.json;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue.TooFewSamples;
import io.phaseload.result.Result;
import io.phaseload.verdict.Finding.About;
import io.phaseload.verdict.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.annotation.EnumNaming;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** Results as JSON. */
public final class ResultJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(new Written<>(Duration.class, time -> time.toNanos() / 1e6))
                    .addSerializer(new Written<>(
                            Plan.class, plan -> JsonMapper.shared().readTree(PlanFile.toResultJson(plan))))
                    .addSerializer(new Written<>(Latency.class, ResultJson::distribution))
                    .addSerializer(new Written<>(
                            Verdict.class, verdict -> new VerdictText(verdict.status(), verdict.texts()))))
            .addMixIn(About.class, LowerCase.class)
            .addMixIn(Confidence.class, LowerCase.class)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ResultJson() {}

    /** Constants in small letters. */
    @EnumNaming(EnumNamingStrategies.LowerCaseStrategy.class)
    private interface LowerCase {}

    /**
     * Writes a result as JSON: durations are numbers whose names end in their unit ({@code …Ms}, {@code …Seconds}),
     * points in time are ISO 8601 in UTC, and what wasn't measured is {@code null}.
     *
     * @param result the result
     * @return indented JSON that ends in a line feed
     */
    public static String write(Result result) {
        return text(result);
    }

    /**
     * Writes a part of a result.
     *
     * @param part a record
     * @return indented JSON that ends in a line feed
     */
    public static String text(Object part) {
        return MAPPER.writeValueAsString(part) + "\n";
    }

    /**
     * A part of a result as it is written.
     *
     * @param part a record
     * @return its JSON
     */
    public static JsonNode tree(Object part) {
        return MAPPER.valueToTree(part);
    }

    /**
     * Writes the same text to a stream, without holding it: a plan's bodies may be large.
     *
     * @param result the result
     * @param out the place where to, as UTF-8; flushed, not closed
     * @throws IOException if it can't be written
     */
    public static void write(Result result, OutputStream out) throws IOException {
        Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        try {
            MAPPER.writer().without(StreamWriteFeature.AUTO_CLOSE_TARGET).writeValue(text, result);
        } catch (JacksonException e) {
            // As the stream threw it, such as for a full disk.
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof IOException ofStream) {
                    throw ofStream;
                }
            }
            throw e;
        }
        text.write('\n');
        text.flush();
    }

    /**
     * Reads a part of what {@link #write(Result)} wrote.
     *
     * @throws RuntimeException if it isn't such a part
     */
    public static <T> T read(JsonNode part, Class<T> type) {
        return MAPPER.treeToValue(part, type);
    }

    /** A verdict's findings are written beside it. */
    private record VerdictText(Verdict.Status status, List<String> reasons) {}

    /** Writes something else in the place of a value. */
    private static final class Written<T> extends StdSerializer<T> {

        private final Function<T, Object> as;

        Written(Class<T> type, Function<T, Object> as) {
            super(type);
            this.as = as;
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializationContext context) {
            out.writePOJO(as.apply(value));
        }
    }

    /**
     * A distribution: a value without a time is {@code null}, and {@code unsupported} says why if anything was
     * measured.
     */
    private static Map<String, Object> distribution(Latency latency) {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, String> unsupported = new LinkedHashMap<>();
        json.put("samples", latency.samples());
        latency.values().forEach((name, value) -> {
            json.put(name + "Ms", value.value());
            if (value instanceof TooFewSamples few && few.samples() > 0) {
                unsupported.put(name + "Ms", few.toString());
            }
        });
        json.put("unsupported", unsupported);
        return json;
    }
}
