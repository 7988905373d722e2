package io.phaseload.settings;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;
import tools.jackson.dataformat.yaml.YAMLReadFeature;

/**
 * Parses a plan's text, and keeps the line of each value for messages. YAML features that plans don't have are refused,
 * so that nothing is taken for plain text.
 */
final class PlanText {

    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\ufffe\\uffff]");

    private static final int MOST_DEPTH = 50;
    private static final int MOST_DIGITS = 100;

    private final Map<String, Integer> lines = new HashMap<>();
    private final JsonParser parser;
    private final Function<String, SettingsException> failure;

    private PlanText(JsonParser parser, Function<String, SettingsException> failure) {
        this.parser = parser;
        this.failure = failure;
    }

    /**
     * The parsed text.
     *
     * @param root all values
     * @param lines the line of each part, by its JSON pointer
     */
    record Parsed(ObjectNode root, Map<String, Integer> lines) {}

    /**
     * Reads a text.
     *
     * @param text YAML, or JSON
     * @param json true if it is JSON
     * @param failure makes an exception of a message
     */
    static Parsed parse(String text, boolean json, Function<String, SettingsException> failure) {
        // Some editors begin a file with a byte order mark.
        String marked = text.startsWith("\ufeff") ? text.substring(1) : text;
        Matcher control = CONTROL.matcher(marked);
        if (control.find()) {
            long line = marked.substring(0, control.start())
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            throw failure.apply("line " + (line + 1) + ": expected text without control characters");
        }
        // Without a mapper, whose first use takes longer than the reading.
        try (JsonParser parser = (json ? new JsonFactory() : yaml()).createParser(ObjectReadContext.empty(), marked)) {
            return new PlanText(parser, failure).read();
        } catch (JacksonException e) {
            throw failure.apply(SyntaxMistake.text(e));
        }
    }

    private static TokenStreamFactory yaml() {
        return YAMLFactory.builder()
                // The size is checked before parsing.
                .loadSettings(LoadSettings.builder()
                        .setCodePointLimit(Integer.MAX_VALUE)
                        // Reported below.
                        .setAllowDuplicateKeys(true)
                        .build())
                .enable(YAMLReadFeature.EMPTY_STRING_AS_NULL)
                .build();
    }

    private Parsed read() {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw failure.apply("expected a plan, or a result.json");
        }
        ObjectNode root = readObject("", 0);
        if (parser.nextToken() != null) {
            throw at(line(), "expected the end of the file: it can contain only one plan");
        }
        return new Parsed(root, lines);
    }

    private JsonNode read(String at, int depth) {
        lines.putIfAbsent(at, line());
        checkPlain();
        if (depth > MOST_DEPTH) {
            throw at(line(), "expected fewer nested brackets");
        }
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(at, depth);
            case START_ARRAY -> {
                ArrayNode array = nodes.arrayNode();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(read(at + "/" + array.size(), depth + 1));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> nodes.numberNode(new BigInteger(digits()));
            case VALUE_NUMBER_FLOAT -> {
                String digits = digits();
                // YAML also has .inf and .nan.
                yield digits.matches(".*[a-df-zA-DF-Z].*")
                        ? nodes.stringNode(digits)
                        : nodes.numberNode(decimal(digits));
            }
            case VALUE_TRUE -> nodes.booleanNode(true);
            case VALUE_FALSE -> nodes.booleanNode(false);
            case VALUE_NULL -> nodes.nullNode();
            default -> nodes.stringNode(parser.getString());
        };
    }

    private String digits() {
        if (parser.getStringLength() > MOST_DIGITS) {
            throw tooManyDigits();
        }
        return parser.getString();
    }

    private BigDecimal decimal(String digits) {
        BigDecimal number = new BigDecimal(digits);
        if (Math.abs(number.scale()) > MOST_DIGITS) {
            throw tooManyDigits();
        }
        return number;
    }

    private SettingsException tooManyDigits() {
        return at(line(), "expected a number of at most " + MOST_DIGITS + " digits");
    }

    /** Refuses aliases and tags. */
    private void checkPlain() {
        if (!(parser instanceof YAMLParser yaml)) {
            return;
        }
        if (yaml.isCurrentAlias()) {
            throw at(line(), "*%s: expected the value itself, not an alias".formatted(parser.getString()));
        }
        if (yaml.getTypeId() != null) {
            String tag = yaml.getTypeId().toString().replace("tag:yaml.org,2002:", "!");
            throw at(line(), "%s: expected the value without a tag".formatted(tag.startsWith("!") ? tag : "!" + tag));
        }
    }

    private ObjectNode readObject(String at, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int line = line();
            lines.put(at + "/" + key, line);
            parser.nextToken();
            if (object.has(key)) {
                throw at(line, "key " + key + ": given more than once");
            }
            object.set(key, read(at + "/" + key, depth + 1));
        }
        return object;
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private SettingsException at(int line, String message) {
        return failure.apply("line " + line + ": " + message);
    }
}
