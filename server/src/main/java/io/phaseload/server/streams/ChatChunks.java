package io.phaseload.server.streams;

import io.phaseload.service.Json;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * Answers of a model that says the same each time, as the API for chat completions has them.
 *
 * @param id of the answer
 */
public record ChatChunks(String id, int tokens) {

    /** The data of the event behind the last chunk. */
    public static final String DONE = "[DONE]";

    private static final List<String> WORDS =
            List.of("How", " much", " load", " can", " a", " server", " bear", "?", " Ask", " it", ".");

    private static String token(int index) {
        return WORDS.get(index % WORDS.size());
    }

    /** The chunk before the first token. */
    public byte[] role() {
        return chunk(
                delta -> {
                    delta.writeStringProperty("role", "assistant");
                    delta.writeStringProperty("content", "");
                },
                false);
    }

    /**
     * The chunk of a token.
     *
     * @param index from 0
     */
    public byte[] chunk(int index) {
        return chunk(delta -> delta.writeStringProperty("content", token(index)), false);
    }

    /** The chunk after the last token. */
    public byte[] stop() {
        return chunk(delta -> {}, true);
    }

    private byte[] chunk(Consumer<JsonGenerator> delta, boolean stop) {
        return answer("chat.completion.chunk", "delta", delta, stop);
    }

    /** The answer that isn't streamed. */
    public byte[] whole() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < tokens; i++) {
            text.append(token(i));
        }
        return answer(
                "chat.completion",
                "message",
                message -> {
                    message.writeStringProperty("role", "assistant");
                    message.writeStringProperty("content", text.toString());
                },
                true);
    }

    private byte[] answer(String object, String key, Consumer<JsonGenerator> content, boolean stop) {
        return Json.object(json -> {
            json.writeStringProperty("id", id);
            json.writeStringProperty("object", object);
            json.writeNumberProperty("created", Instant.now().getEpochSecond());
            json.writeStringProperty("model", "stand-in");
            json.writeArrayPropertyStart("choices");
            json.writeStartObject();
            json.writeNumberProperty("index", 0);
            json.writeObjectPropertyStart(key);
            content.accept(json);
            json.writeEndObject();
            if (stop) {
                json.writeStringProperty("finish_reason", "stop");
            } else {
                json.writeNullProperty("finish_reason");
            }
            json.writeEndObject();
            json.writeEndArray();
        });
    }
}
