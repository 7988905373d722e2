package io.phaseload.content;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.RegularExpression;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON Schemas, by networknt's validator; their patterns by RE2/J, which takes linear time. */
final class JsonSchemas {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .failFast(true)
            .regularExpressionFactory(JsonSchemas::expression)
            .build();

    private JsonSchemas() {}

    static Function<byte[], Optional<String>> deviation(byte[] schema) {
        Schema prepared;
        try {
            SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder -> builder.schemaRegistryConfig(CONFIG).schemaLoader(loader -> loader.block(any -> true)));
            prepared = registry.getSchema(JSON.readTree(schema));
            prepared.initializeValidators();
        } catch (JacksonException | SchemaException | PatternSyntaxException e) {
            throw new IllegalArgumentException("expected a JSON Schema: " + firstLine(e), e);
        }
        return body -> deviation(prepared, body);
    }

    private static RegularExpression expression(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return text -> compiled.matcher(text).find();
    }

    private static Optional<String> deviation(Schema schema, byte[] body) {
        JsonNode document;
        try {
            document = JSON.readTree(body);
        } catch (JacksonException e) {
            return Optional.of("not JSON: " + firstLine(e));
        }
        List<Error> errors = schema.validate(document);
        return errors.stream().findFirst().map(Error::toString);
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
