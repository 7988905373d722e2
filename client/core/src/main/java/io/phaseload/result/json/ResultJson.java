package io.phaseload.result.json;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Result;
import io.phaseload.verdict.Finding.About;
import io.phaseload.verdict.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
                    .addSerializer(new Milliseconds())
                    .addSerializer(new PlanSerializer())
                    .addSerializer(new LatencyJson())
                    .addSerializer(new VerdictSerializer()))
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

    private static final class Milliseconds extends StdSerializer<Duration> {

        Milliseconds() {
            super(Duration.class);
        }

        @Override
        public void serialize(Duration value, JsonGenerator out, SerializationContext context) {
            out.writeNumber(value.toNanos() / 1e6);
        }
    }

    private static final class PlanSerializer extends StdSerializer<Plan> {

        PlanSerializer() {
            super(Plan.class);
        }

        @Override
        public void serialize(Plan plan, JsonGenerator out, SerializationContext context) {
            out.writePOJO(JsonMapper.shared().readTree(PlanFile.toResultJson(plan)));
        }
    }

    /** A verdict's findings are written beside it. */
    private static final class VerdictSerializer extends StdSerializer<Verdict> {

        VerdictSerializer() {
            super(Verdict.class);
        }

        @Override
        public void serialize(Verdict verdict, JsonGenerator out, SerializationContext context) {
            out.writeStartObject(verdict);
            out.writePOJOProperty("status", verdict.status());
            out.writePOJOProperty("reasons", verdict.texts());
            out.writeEndObject();
        }
    }
}
