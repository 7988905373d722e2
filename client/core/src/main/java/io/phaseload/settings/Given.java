package io.phaseload.settings;

import io.phaseload.input.Secrets;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A value that somebody wrote, and where: a text, a number, a flag, or a nested part. Immutable. */
public final class Given {

    private final JsonNode value;
    private final Optional<String> shown;
    private final Origin origin;

    /**
     * Makes one.
     *
     * @param shown the value as messages may repeat it: without secrets; empty for flags and nested values
     */
    Given(JsonNode value, Optional<String> shown, Origin origin) {
        this.value = value;
        this.shown = shown;
        this.origin = origin;
    }

    /**
     * A text that was given for a setting.
     *
     * @param setting the setting
     * @param text its value
     * @param origin the origin
     * @return the value
     */
    public static Given text(String setting, String text, Origin origin) {
        return new Given(JsonNodeFactory.instance.stringNode(text), SecretOptions.shown(setting, text), origin);
    }

    /**
     * A text that a file, standard input or a variable contains.
     *
     * @param text the text, which messages never repeat
     * @param reference the place of the text as it was typed, such as {@code @FILE}
     * @param origin the origin of the reference
     * @return the value
     */
    public static Given referenced(String text, String reference, Origin origin) {
        return new Given(JsonNodeFactory.instance.stringNode(text), Optional.of(reference), origin);
    }

    /**
     * A flag that was set or cleared.
     *
     * @param set the set
     * @param origin the origin
     * @return the value
     */
    public static Given flag(boolean set, Origin origin) {
        return new Given(JsonNodeFactory.instance.booleanNode(set), Optional.empty(), origin);
    }

    /**
     * The content of a file, given by the file's content name.
     *
     * @param content the file's content
     * @param name the name, which messages repeat
     * @param origin the origin of the name
     * @return the value
     */
    public static Given bytes(byte[] content, String name, Origin origin) {
        return new Given(JsonNodeFactory.instance.binaryNode(content), Optional.of(name), origin);
    }

    /**
     * A value with parts, as a plan's file has it.
     *
     * @param parts by their keys, each with an origin of its own
     * @param origin of the whole
     * @return the value
     */
    public static Given object(Map<String, Given> parts, Origin origin) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        Map<String, Origin> origins = new HashMap<>();
        parts.forEach((key, part) -> {
            object.set(key, part.value);
            origins.put(key, part.origin);
        });
        return new Given(object, Optional.empty(), new Origin.Options(origin, origins));
    }

    /**
     * A list of values.
     *
     * @param elements in order
     * @param origin the origin
     * @return the value
     */
    public static Given list(List<Given> elements, Origin origin) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        elements.forEach(element -> list.add(element.value));
        return new Given(list, Optional.empty(), origin);
    }

    /** The value as a node of a document. */
    JsonNode value() {
        return value;
    }

    /**
     * Where the value was written.
     *
     * @return the place that messages begin with
     */
    public Origin origin() {
        return origin;
    }

    /**
     * Whether it has parts with keys.
     *
     * @return {@code false} for a text, a number, a flag or a list
     */
    public boolean isObject() {
        return value.isObject();
    }

    /**
     * Whether it is a list.
     *
     * @return {@code false} for anything else
     */
    public boolean isList() {
        return value.isArray();
    }

    /**
     * The bytes of a file.
     *
     * @return empty unless it was made by {@link #bytes(byte[], String, Origin)}
     */
    public Optional<byte[]> bytes() {
        return value.isBinary() ? Optional.of(value.binaryValue()) : Optional.empty();
    }

    /**
     * This address, but messages repeat it without the secrets of its query.
     *
     * @return a copy
     */
    public Given withoutSecrets() {
        return new Given(value, shown.map(Secrets::redactQuery), origin);
    }

    /**
     * The value as one text.
     *
     * @return a number in digits, without an exponent; an empty text for nested values
     */
    public String text() {
        if (value.isContainer()) {
            return "";
        }
        return value.isNumber() ? value.decimalValue().toPlainString() : value.asString();
    }

    /**
     * A part of a nested value.
     *
     * @param key of the part
     * @return empty if it isn't there
     */
    public Optional<Given> part(String key) {
        return value.hasNonNull(key) ? Optional.of(of(value.get(key), origin.at(key))) : Optional.empty();
    }

    /**
     * The keys of a nested part.
     *
     * @return in order; none if it isn't one
     */
    public List<String> keys() {
        return List.copyOf(value.propertyNames());
    }

    /**
     * Whether it is a text, and no number or flag.
     *
     * @return {@code false} of what is nested, too
     */
    public boolean isText() {
        return value.isString();
    }

    /**
     * The elements of a list.
     *
     * @return in order; the value itself if it isn't a list
     */
    public List<Given> elements() {
        if (!value.isArray()) {
            return List.of(this);
        }
        List<Given> elements = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            elements.add(of(value.get(i), origin.at(Integer.toString(i))));
        }
        return elements;
    }

    /**
     * The elements of a part.
     *
     * @param key of the part
     * @return in order; none if it isn't there
     */
    public List<Given> elements(String key) {
        return part(key).map(Given::elements).orElse(List.of());
    }

    /** A node of a document. */
    static Given of(JsonNode value, Origin origin) {
        Given bare = new Given(value, Optional.empty(), origin);
        return value.isContainer() || value.isBinary() ? bare : new Given(value, Optional.of(bare.text()), origin);
    }

    /**
     * Splits a name and a value: an object with one key, or a text with a separator.
     *
     * @param sign the separator of a text
     * @param expected the expected format
     * @return both
     * @throws SettingsException if it is something else
     */
    public Map.Entry<String, String> entry(char sign, String expected) {
        if (value.isObject()) {
            Map.Entry<String, JsonNode> only = value.properties().iterator().next();
            return Map.entry(only.getKey(), of(only.getValue(), origin).text());
        }
        int at = text().indexOf(sign);
        if (at < 1) {
            throw wrong("expected " + expected);
        }
        return Map.entry(text().substring(0, at), text().substring(at + 1));
    }

    /**
     * Reads the value's text.
     *
     * @param <T> the type of its value
     * @param parse parses the text, or throws an {@link IllegalArgumentException}
     * @param expected the end of the message if that exception doesn't say what it expected
     * @return the value of the text
     * @throws SettingsException if the text can't be read
     */
    public <T> T read(Function<String, T> parse, String expected) {
        try {
            return parse.apply(text());
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw wrong("expected " + ValueException.expected(e, expected));
        }
    }

    /**
     * Makes something of the value's parts, and adds the value's origin to a mistake unless the message has one.
     *
     * @param <T> the type of the result
     * @param making throws an {@link IllegalArgumentException} that says what is wrong
     * @return the result
     * @throws SettingsException if it can't be made
     */
    public <T> T checked(Supplier<T> making) {
        try {
            return making.get();
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads a whole number.
     *
     * @param least the least that is allowed
     * @return the number
     * @throws SettingsException if it is something else
     */
    public int count(long least) {
        return read(text -> Quantities.parseInt(text, least), "");
    }

    /**
     * Reads a time above 0.
     *
     * @return the time
     * @throws SettingsException if it is something else
     */
    public Duration time() {
        return read(text -> Quantities.parseDuration(text, false), "");
    }

    /**
     * Reads one of the words that stand for an enum's constants.
     *
     * @param <E> the enum
     * @param key of a part
     * @param values the constants
     * @return the first constant if there is no such part
     * @throws SettingsException if the part is another word
     */
    public <E extends Enum<E>> E word(String key, E[] values) {
        List<String> words = Arrays.stream(values).map(Given::word).toList();
        Function<String, E> parse = text -> Arrays.stream(values)
                .filter(value -> word(value).equals(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
        return part(key)
                .map(text -> text.read(parse, String.join(" or ", words)))
                .orElse(values[0]);
    }

    /**
     * The word that stands for an enum's constant.
     *
     * @param value the constant
     * @return its name in lower case
     */
    public static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The file that the value names.
     *
     * @return relative to the folder of the plan's file that names it; on a command line and in the plan of a past run,
     *     relative to the working directory
     * @throws SettingsException if it can't be a file's name
     */
    public Path file() {
        return read(folder()::resolve, "a file");
    }

    /** {@return the folder that files named by the value are relative to; see {@link #file()}} */
    public Path folder() {
        return origin.folder();
    }

    /**
     * Makes an exception that says what is wrong with the value.
     *
     * @param reason such as what was expected
     * @return an exception with the origin, the value and the reason
     */
    public SettingsException wrong(String reason) {
        return new SettingsException(origin.named(shown) + ": " + reason);
    }

    /**
     * Makes an exception: this value needs another one.
     *
     * @param setting the missing setting
     * @param value the value that it must have; empty for any
     * @return an exception that names both
     */
    public SettingsException needs(String setting, String value) {
        return needs(origin.nameOf(setting) + (value.isEmpty() ? "" : " " + value));
    }

    /**
     * Makes an exception: this value needs something.
     *
     * @param what is missing
     * @return an exception that names both
     */
    public SettingsException needs(String what) {
        return new SettingsException(origin.named(shown) + " needs " + what);
    }

    /**
     * Makes an exception: this value contradicts another one.
     *
     * @param other the other
     * @return an exception that names both as they were written
     */
    public SettingsException conflict(Given other) {
        return conflict(other.origin.name());
    }

    /**
     * Makes an exception: this value contradicts something.
     *
     * @param other the other
     * @return an exception that names both
     */
    public SettingsException conflict(String other) {
        return new SettingsException(origin.named(shown) + " cannot be combined with " + other);
    }
}
