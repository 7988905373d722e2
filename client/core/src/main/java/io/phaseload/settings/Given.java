package io.phaseload.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A value as it was given, and where.
 *
 * @param value a text, a number, true or false, or a nested part of a plan's file
 * @param shown the value as a message may repeat it: without secrets; empty of flags and of what is
 *     nested
 * @param origin where it was written
 */
public record Given(JsonNode value, Optional<String> shown, Origin origin) {

    /**
     * A text that was given for a setting.
     *
     * @param setting which one
     * @param text its value
     * @param origin where it was written
     * @return the value
     */
    public static Given text(Setting setting, String text, Origin origin) {
        return new Given(
                JsonNodeFactory.instance.stringNode(text), Secrets.shown(setting, text), origin);
    }

    /**
     * The value as one text.
     *
     * @return numbers in digits, without an exponent; empty of what is nested
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
        return value.hasNonNull(key)
                ? Optional.of(of(value.get(key), origin.at(key)))
                : Optional.empty();
    }

    /**
     * The elements of a list.
     *
     * @return in order; of what is no list, it alone
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

    /** A node of a document. */
    static Given of(JsonNode value, Origin origin) {
        Given bare = new Given(value, Optional.empty(), origin);
        return value.isContainer() || value.isBinary()
                ? bare
                : new Given(value, Optional.of(bare.text()), origin);
    }

    /**
     * What is a name and a value: an object with one key, or a text with a sign between them.
     *
     * @param sign that stands between them in a text
     * @param expected what the text must look like
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
     * @param <T> what it stands for
     * @param parse throws an {@link IllegalArgumentException} if it can't
     * @param expected what is said where that exception doesn't say what it expected
     * @return what the text stands for
     * @throws SettingsException if the text can't be read
     */
    public <T> T read(Function<String, T> parse, String expected) {
        try {
            return parse.apply(text());
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw wrong(expected(e, expected));
        }
    }

    /**
     * What was expected in place of a value that can't be read.
     *
     * @param refused says it at the end of its message, or doesn't
     * @param otherwise what is said where it doesn't
     * @return begins with "expected"
     */
    public static String expected(IllegalArgumentException refused, String otherwise) {
        String message = String.valueOf(refused.getMessage());
        // The last one: the value, which the message repeats, may have such a word, too.
        int start = message.lastIndexOf(": expected ");
        if (message.startsWith("expected ")) {
            return message;
        }
        return start >= 0 ? message.substring(start + 2) : "expected " + otherwise;
    }

    /**
     * What is wrong with the value.
     *
     * @param reason such as what was expected
     * @return an exception with the origin, the value and the reason
     */
    public SettingsException wrong(String reason) {
        return new SettingsException(origin.named(shown) + ": " + reason);
    }

    /**
     * That the value makes no sense without another.
     *
     * @param other what is missing
     * @param what its value; empty for any
     * @return an exception that names both
     */
    public SettingsException needs(Setting other, String what) {
        return needs(origin.nameOf(other) + (what.isEmpty() ? "" : " " + what));
    }

    /**
     * That the value makes no sense without something.
     *
     * @param what is missing
     * @return an exception that names both
     */
    public SettingsException needs(String what) {
        return new SettingsException(origin.named(shown) + " needs " + what);
    }

    /**
     * That the value contradicts another.
     *
     * @param other which one
     * @return an exception that names both as they were written
     */
    public SettingsException conflict(Given other) {
        return conflict(other.origin.name());
    }

    /**
     * That the value contradicts something.
     *
     * @param other what
     * @return an exception that names both
     */
    public SettingsException conflict(String other) {
        return new SettingsException(origin.named(shown) + " cannot be combined with " + other);
    }
}
