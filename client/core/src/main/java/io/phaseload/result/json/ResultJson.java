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
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
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
                    .addSerializer(new VerdictSerializer())
                    .addSerializer(new LowerCase<>(About.class))
                    .addSerializer(new LowerCase<>(Confidence.class))
                    .addDeserializer(About.class, new UpperCase<>(About.class))
                    .addDeserializer(Confidence.class, new UpperCase<>(Confidence.class)))
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ResultJson() {}

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

    /** Writes a constant in lower case. */
    private static final class LowerCase<E extends Enum<E>> extends StdSerializer<E> {

        LowerCase(Class<E> type) {
            super(type);
        }

        @Override
        public void serialize(E constant, JsonGenerator out, SerializationContext context) {
            out.writeString(constant.name().toLowerCase(Locale.ROOT));
        }
    }

    /** Reads a constant that {@link LowerCase} wrote. */
    private static final class UpperCase<E extends Enum<E>> extends StdDeserializer<E> {

        private final Class<E> type;

        UpperCase(Class<E> type) {
            super(type);
            this.type = type;
        }

        @Override
        public E deserialize(JsonParser in, DeserializationContext context) {
            return Enum.valueOf(type, in.getString().toUpperCase(Locale.ROOT));
        }
    }
}
