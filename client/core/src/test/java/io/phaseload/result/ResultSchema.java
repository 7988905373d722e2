package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The published schema of {@code result.json}. */
public final class ResultSchema {

    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    registry -> registry.schemas(Map.of(
                            "urn:phaseload:result:3",
                            read("result.schema.json"),
                            "urn:phaseload:plan:1",
                            read("../planfile/plan.schema.json"))))
            .getSchema(SchemaLocation.of("urn:phaseload:result:3"));

    private ResultSchema() {}

    public static void assertValid(String json) {
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
    }

    private static String read(String name) {
        try (InputStream in = Result.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
