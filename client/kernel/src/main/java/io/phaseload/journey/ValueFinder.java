package io.phaseload.journey;

import io.phaseload.plan.journey.Extraction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds the values of an extraction in responses. Immutable, and shared by all users. */
public final class ValueFinder {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Extraction extraction;
    private final @Nullable Pattern pattern;
    // Of a value that is read without the rest of the document.
    private final @Nullable JsonPointer pointer;
    private final ContentReader.@Nullable Finder finder;

    /**
     * Prepares an extraction.
     *
     * @param extraction the place of the values; its name, default and choice don't matter
     * @throws IllegalArgumentException if its expression isn't valid, or the libraries for it aren't on the class path
     */
    public ValueFinder(Extraction extraction) {
        this.extraction = extraction;
        Extraction.ResponsePart source = extraction.source();
        String expression = extraction.expression();
        pattern = source == Extraction.ResponsePart.REGEX ? Pattern.compile(expression) : null;
        pointer = source == Extraction.ResponsePart.JSON && !JsonValues.isOfSeveral(expression)
                ? JsonPointer.compile(expression)
                : null;
        finder = extraction.ofLibrary() ? ContentReader.required().finder(source, expression) : null;
    }

    /**
     * The first value.
     *
     * @param head lines of the response's header, each with its end
     * @param body the beginning of its body
     * @return {@code null} if there is none
     */
    public @Nullable String first(byte[] head, byte[] body) {
        if (pointer != null) {
            return json(body);
        }
        List<String> found = pattern == null ? all(head, body) : regex(new String(body, StandardCharsets.UTF_8), true);
        return found.isEmpty() ? null : found.get(0);
    }

    /**
     * All values.
     *
     * @param head lines of the response's header, each with its end
     * @param body the beginning of its body
     * @return in the response's order
     */
    public List<String> all(byte[] head, byte[] body) {
        return switch (extraction.source()) {
            case JSON -> JsonValues.at(extraction.expression(), body);
            case JSONPATH, CSS, XPATH -> ofLibrary(body);
            case REGEX -> regex(new String(body, StandardCharsets.UTF_8), false);
            case HEADER -> headers(head, extraction.expression());
            case COOKIE -> cookies(head);
        };
    }

    /** Reads no further than the value: what is behind it, or cut off, doesn't matter. */
    private @Nullable String json(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            JsonToken token = atPointer(parser);
            if (token == null || token == JsonToken.VALUE_NULL) {
                return null;
            }
            if (token.isStructStart()) {
                JsonNode whole = parser.readValueAsTree();
                return whole.toString();
            }
            return parser.getString();
        } catch (JacksonException notJson) {
            return null;
        }
    }

    private @Nullable JsonToken atPointer(JsonParser parser) {
        JsonPointer rest = pointer;
        JsonToken token = parser.nextToken();
        while (token != null && !rest.matches()) {
            token = child(parser, token, rest);
            rest = rest.tail();
        }
        return token;
    }

    /**
     * Whether the first value is a text of a JSON document, even if it looks like a number.
     *
     * @param body the beginning of a response's body
     * @return {@code false} for values of other documents and of headers, which don't have types
     */
    public boolean isText(byte[] body) {
        return switch (extraction.source()) {
            case JSON -> pointer == null ? JsonValues.isText(extraction.expression(), body) : isTextAtPointer(body);
            case JSONPATH -> finder.isText(body);
            default -> false;
        };
    }

    private boolean isTextAtPointer(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            return atPointer(parser) == JsonToken.VALUE_STRING;
        } catch (JacksonException notJson) {
            return false;
        }
    }

    /**
     * Whether a body begins as a JSON document.
     *
     * @param body its beginning
     * @return {@code false} for an empty one, and for a page of HTML
     */
    public static boolean isJson(byte[] body) {
        try (JsonParser parser = JSON.createParser(body)) {
            JsonToken first = parser.nextToken();
            return first != null && (first.isStructStart() || parser.nextToken() == null);
        } catch (JacksonException notJson) {
            return false;
        }
    }

    /** Goes to the value of a member or an element; {@code null} if there is none. */
    private static @Nullable JsonToken child(JsonParser parser, JsonToken parent, JsonPointer rest) {
        if (parent == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean wanted = rest.matchesProperty(parser.currentName());
                JsonToken value = parser.nextToken();
                if (wanted) {
                    return value;
                }
                parser.skipChildren();
            }
        } else if (parent == JsonToken.START_ARRAY) {
            for (int i = 0; ; i++) {
                JsonToken value = parser.nextToken();
                if (value == null || value == JsonToken.END_ARRAY) {
                    break;
                }
                if (rest.matchesElement(i)) {
                    return value;
                }
                parser.skipChildren();
            }
        }
        return null;
    }

    /** All matches, or only the first one. */
    private List<String> regex(String body, boolean one) {
        List<String> found = new ArrayList<>();
        try {
            Matcher matcher = pattern.matcher(new BoundedText(body));
            while (!(one && !found.isEmpty()) && matcher.find()) {
                String value = matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
                if (value != null) {
                    found.add(value);
                }
            }
            return found;
        } catch (BoundedText.TooLong | StackOverflowError endless) {
            // Some expressions would try more ways than there are atoms.
            return List.of();
        }
    }

    private List<String> ofLibrary(byte[] body) {
        try {
            return finder.find(body);
        } catch (StackOverflowError tooDeep) {
            return List.of();
        }
    }

    private List<String> cookies(byte[] head) {
        String start = extraction.expression() + "=";
        List<String> found = new ArrayList<>();
        for (String value : headers(head, "Set-Cookie")) {
            if (value.startsWith(start)) {
                String rest = value.substring(start.length());
                int end = rest.indexOf(';');
                found.add((end < 0 ? rest : rest.substring(0, end)).strip());
            }
        }
        return found;
    }

    private static List<String> headers(byte[] head, String name) {
        List<String> values = new ArrayList<>();
        for (int at = line(head, 0, name); at >= 0; at = line(head, at, name)) {
            values.add(value(head, at));
        }
        return values;
    }

    /**
     * The value of the first header of a name.
     *
     * @param head lines of a response's header, each with its end
     * @param name in any case
     */
    public static Optional<String> header(byte[] head, String name) {
        int at = line(head, 0, name);
        return at < 0 ? Optional.empty() : Optional.of(value(head, at));
    }

    /** Behind the colon of the next header of a name; -1 if there is none. */
    private static int line(byte[] head, int from, String name) {
        int at = from;
        while (at < head.length) {
            if (at == 0 || head[at - 1] == '\n') {
                int colon = at + name.length();
                if (colon < head.length && head[colon] == ':' && is(head, at, name)) {
                    return colon + 1;
                }
            }
            at++;
        }
        return -1;
    }

    private static boolean is(byte[] head, int at, String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = (char) (head[at + i] & 0xff);
            if (Character.toLowerCase(c) != Character.toLowerCase(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static String value(byte[] head, int from) {
        int end = from;
        while (end < head.length && head[end] != '\n') {
            end++;
        }
        return new String(head, from, end - from, StandardCharsets.ISO_8859_1).strip();
    }
}
