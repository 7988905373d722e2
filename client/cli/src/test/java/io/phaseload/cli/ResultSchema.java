package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.phaseload.ab.AbJson;
import io.phaseload.capacity.CapacityJson;
import io.phaseload.compare.Comparison;
import io.phaseload.result.Result;
import io.phaseload.sweep.SweepJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The published schemas of results, plans, comparisons, searches and sweeps. */
public final class ResultSchema {

    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            registry -> registry.schemas(Map.of(
                    "urn:phaseload:result:3",
                    read(Result.class, "result.schema.json"),
                    "urn:phaseload:plan:1",
                    read(Result.class, "/io/phaseload/planfile/plan.schema.json"),
                    "urn:phaseload:comparison:1",
                    read(Comparison.class, "comparison.schema.json"),
                    "urn:phaseload:ab:1",
                    read(AbJson.class, "ab.schema.json"),
                    "urn:phaseload:capacity:1",
                    read(CapacityJson.class, "capacity.schema.json"),
                    "urn:phaseload:sweep:1",
                    read(SweepJson.class, "sweep.schema.json"))));

    private static final Schema RESULT = SCHEMAS.getSchema(SchemaLocation.of("urn:phaseload:result:3"));
    private static final Schema COMPARISON = SCHEMAS.getSchema(SchemaLocation.of("urn:phaseload:comparison:1"));
    private static final Schema AB = SCHEMAS.getSchema(SchemaLocation.of("urn:phaseload:ab:1"));
    private static final Schema CAPACITY = SCHEMAS.getSchema(SchemaLocation.of("urn:phaseload:capacity:1"));
    private static final Schema SWEEP = SCHEMAS.getSchema(SchemaLocation.of("urn:phaseload:sweep:1"));

    /** Of a plan's file. */
    public static final Schema PLAN = SCHEMAS.getSchema(SchemaLocation.of("urn:phaseload:plan:1"));

    private ResultSchema() {}

    public static void assertValid(String json) {
        assertThat(RESULT.validate(json, InputFormat.JSON)).isEmpty();
    }

    static void assertValidComparison(String json) {
        assertThat(COMPARISON.validate(json, InputFormat.JSON)).isEmpty();
    }

    static void assertValidAb(String json) {
        assertThat(AB.validate(json, InputFormat.JSON)).isEmpty();
    }

    public static void assertValidCapacity(String json) {
        assertThat(CAPACITY.validate(json, InputFormat.JSON)).isEmpty();
    }

    public static void assertValidSweep(String json) {
        assertThat(SWEEP.validate(json, InputFormat.JSON)).isEmpty();
    }

    private static String read(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
