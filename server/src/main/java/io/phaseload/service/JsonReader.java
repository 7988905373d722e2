package io.phaseload.service;

import java.nio.charset.CharacterCodingException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads a JSON object property by property, without building a tree. Any error is an {@link IllegalArgumentException}
 * with a message for users. For use by one thread.
 */
public final class JsonReader {

    private final JsonParser json;
    private String name = "";

    private JsonReader(JsonParser json) {
        this.json = json;
    }

    /**
     * Reads a document that is one object.
     *
     * @param document the document, in UTF-8
     * @param properties is called for each property with the reader at its value, and the name; what it doesn't read is
     *     skipped
     * @throws IllegalArgumentException if it is anything else
     */
    public static void read(byte[] document, BiConsumer<JsonReader, String> properties) {
        try (JsonParser parser = Json.parser(document)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("expected a JSON object");
            }
            JsonReader reader = new JsonReader(parser);
            reader.members(name -> properties.accept(reader, name));
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("expected nothing after the JSON object");
            }
        } catch (JacksonException e) {
            // Without its message, which may quote invalid characters.
            throw new IllegalArgumentException("expected JSON", e);
        }
    }

    /**
     * Reads an object that is a property's value; null counts as one without properties.
     *
     * @param properties is called for each property with the reader at its value
     */
    public void object(Consumer<String> properties) {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw expected("an object");
        }
        String outer = name;
        members(properties);
        name = outer;
    }

    /**
     * Reads an object of texts.
     *
     * @return the texts by their names, whose case doesn't matter
     */
    public Map<String, String> texts() {
        Map<String, String> texts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        object(property -> {
            String text = text();
            if (text != null) {
                texts.put(property, text);
            }
        });
        return texts;
    }

    /**
     * Reads a text.
     *
     * @return the text, which can be encoded, or null
     */
    public String text() {
        return switch (json.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> whole(json.getString());
            default -> throw expected("a text");
        };
    }

    /**
     * Reads true or false.
     *
     * @return the value; false for null
     */
    public boolean flag() {
        return switch (json.currentToken()) {
            case VALUE_NULL, VALUE_FALSE -> false;
            case VALUE_TRUE -> true;
            default -> throw expected("true or false");
        };
    }

    /**
     * Reads a whole number.
     *
     * @return the number
     */
    public int number() {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw expected("a whole number");
        }
        return json.getIntValue();
    }

    private void members(Consumer<String> properties) {
        while (json.nextToken() != JsonToken.END_OBJECT) {
            name = whole(json.currentName());
            json.nextToken();
            properties.accept(name);
            json.skipChildren();
        }
    }

    // JSON can escape half a surrogate pair, which can't be processed later.
    private static String whole(String text) {
        try {
            if (text.chars().anyMatch(c -> Character.isSurrogate((char) c))) {
                Utf8.encode(text);
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("expected characters that Unicode has", e);
        }
    }

    private IllegalArgumentException expected(String what) {
        return new IllegalArgumentException(name + ": expected " + what);
    }
}
