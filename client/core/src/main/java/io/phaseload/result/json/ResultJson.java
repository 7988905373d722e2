package io.phaseload.result.json;

import io.phaseload.health.Reason;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import java.time.Duration;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** The JSON form of a result. */
public final class ResultJson {

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .addModule(
                            new SimpleModule()
                                    .addSerializer(new Milliseconds())
                                    .addSerializer(new LatencyJson())
                                    .addSerializer(new ReasonSerializer())
                                    .addSerializer(new PlanSerializer()))
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build();

    private ResultJson() {}

    /**
     * Writes a result as JSON: durations are numbers whose unit is the end of their name ({@code
     * …Ms}, {@code …Seconds}), points in time are ISO 8601 in UTC, what wasn't measured is {@code
     * null}.
     *
     * @param result the result
     * @return indented JSON that ends in a line feed
     */
    public static String write(Result result) {
        return MAPPER.writeValueAsString(result) + "\n";
    }

    /**
     * Writes a plan as a result keeps it: without its secrets.
     *
     * @param plan the plan
     * @return indented JSON that ends in a line feed
     */
    public static String write(Plan plan) {
        return MAPPER.writeValueAsString(plan) + "\n";
    }

    /**
     * Reads a plan that {@link #write(Plan)} or {@link #write(Result)} wrote.
     *
     * @param plan its JSON
     * @return the plan, with {@link io.phaseload.result.Secrets#REDACTED} in the place of secrets
     * @throws RuntimeException if it isn't a plan
     */
    public static Plan readPlan(JsonNode plan) {
        return MAPPER.treeToValue(plan, PlanJson.class).toPlan();
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

    /** A reason is its text; what it is about is told by the figures. */
    private static final class ReasonSerializer extends StdSerializer<Reason> {

        ReasonSerializer() {
            super(Reason.class);
        }

        @Override
        public void serialize(Reason reason, JsonGenerator out, SerializationContext context) {
            out.writeString(reason.text());
        }
    }

    private static final class PlanSerializer extends StdSerializer<Plan> {

        PlanSerializer() {
            super(Plan.class);
        }

        @Override
        public void serialize(Plan plan, JsonGenerator out, SerializationContext context) {
            out.writePOJO(PlanJson.of(plan));
        }
    }
}
