package io.phaseload.service;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** JSON objects as bytes. */
public final class Json {

    // A recycling pool may leave buffers behind in a container's threads when a WAR is undeployed.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .build();

    private Json() {}

    /**
     * Writes an object.
     *
     * @param properties writes its properties
     * @return the object as UTF-8
     */
    public static byte[] object(Consumer<JsonGenerator> properties) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            properties.accept(json);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    static JsonParser parser(byte[] json) {
        return FACTORY.createParser(ObjectReadContext.empty(), json);
    }
}
