package io.phaseload.server;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** JSON objects as bytes. */
final class Json {

    // A recycling pool may leave buffers behind in a container's threads when a WAR is undeployed.
    private static final JsonFactory FACTORY =
            JsonFactory.builder().recyclerPool(JsonRecyclerPools.nonRecyclingPool()).build();

    private Json() {}

    static byte[] object(Consumer<JsonGenerator> properties) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            properties.accept(json);
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
