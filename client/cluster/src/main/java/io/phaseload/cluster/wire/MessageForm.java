package io.phaseload.cluster.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** Messages as bytes: JSON in UTF-8. */
public final class MessageForm {

    /** A result has the plan in it, and some more. */
    public static final int MOST_BYTES = 16_000_000;

    /** The largest plan that can be sent, with the bodies of its requests. */
    public static final int MOST_PLAN_BYTES = MOST_BYTES / 2;

    /** Whatever files leave out is written here, since a missing component is an error. */
    @SuppressWarnings("serial")
    private static final class Complete extends JacksonAnnotationIntrospector {
        @Override
        public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated of) {
            return JsonInclude.Value.empty();
        }
    }

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .annotationIntrospector(new Complete())
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private MessageForm() {}

    /**
     * A message for the way.
     *
     * @param message any
     * @return at most {@link #MOST_BYTES}
     * @throws IllegalArgumentException if it is larger
     */
    public static byte[] write(Message message) {
        byte[] bytes = MAPPER.writerFor(Message.class).writeValueAsBytes(message);
        if (bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a message of %d bytes: expected at most %d".formatted(bytes.length, MOST_BYTES));
        }
        return bytes;
    }

    /**
     * The message that was sent.
     *
     * @param bytes whatever arrived
     * @return the message
     * @throws IllegalArgumentException if it is none
     */
    public static Message read(byte[] bytes, int offset, int length) {
        if (length > MOST_BYTES) {
            throw new IllegalArgumentException("a message of " + length + " bytes");
        }
        try {
            Message message = MAPPER.readValue(bytes, offset, length, Message.class);
            if (message == null) {
                throw new IllegalArgumentException("no message");
            }
            return message;
        } catch (JacksonException | ClassCastException e) {
            throw new IllegalArgumentException("no message: " + e.getMessage(), e);
        }
    }
}
