package io.phaseload.plan.journey;

import io.phaseload.input.Cursor;
import io.phaseload.plan.journey.Template.Built;
import io.phaseload.plan.journey.Template.Encoded;
import io.phaseload.plan.journey.Template.Encoding;
import io.phaseload.plan.journey.Template.Literal;
import io.phaseload.plan.journey.Template.Part;
import io.phaseload.plan.journey.Template.PlaceholderSource;
import io.phaseload.plan.journey.Template.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a {@link Template}, whose Javadoc has the grammar. */
final class TemplateText {

    static final String NAME = "[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_-]*)?";

    private static final Pattern OPENING = Pattern.compile("\\{(" + NAME + ")(?=[}:])");
    private static final Pattern RANGE = Pattern.compile(":(-?[0-9]{1,18}\\.\\.-?[0-9]{1,18})\\}");
    private static final Pattern OF_USER = Pattern.compile(":(user)\\}");
    private static final Pattern UNIT = Pattern.compile(":(s|us)\\}");
    private static final Pattern KEY = Pattern.compile(":(" + NAME + "):");
    private static final Pattern COLON = Pattern.compile("(:)");
    private static final Pattern CLOSING = Pattern.compile("(})");

    /** Deeper than anybody writes. */
    private static final int MOST_DEPTH = 8;

    private final String text;
    private final Cursor cursor;

    TemplateText(String text) {
        this.text = text;
        this.cursor = new Cursor(text);
    }

    Template template() {
        return template(0);
    }

    /** To the end of the text, or, within braces, to the one that closes them. */
    private Template template(int depth) {
        if (depth > MOST_DEPTH) {
            throw cursor.failure("fewer braces within braces", cursor.position());
        }
        int start = cursor.position();
        int open = 0;
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        while (cursor.position() < text.length()) {
            int at = cursor.position();
            char character = text.charAt(at);
            if (character == '}' && depth > 0 && open-- == 0) {
                break;
            }
            String name = character == '{' ? cursor.next(OPENING) : null;
            if (name != null) {
                addLiteral(parts, literal);
                parts.add(value(name, at, depth));
            } else {
                boolean doubled = text.startsWith("{{", at);
                open += character == '{' && !doubled ? 1 : 0;
                literal.append(character);
                cursor.moveTo(doubled ? at + 2 : at + 1);
            }
        }
        addLiteral(parts, literal);
        return new Template(text.substring(start, cursor.position()), parts);
    }

    private static void addLiteral(List<Part> parts, StringBuilder literal) {
        if (literal.length() > 0) {
            parts.add(new Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private Part value(String name, int at, int depth) {
        Optional<PlaceholderSource> source = find(PlaceholderSource.values(), name);
        if (source.isPresent()) {
            return built(source.get(), at);
        }
        Optional<Encoding> encoding = find(Encoding.values(), name);
        if (encoding.isPresent() && text.startsWith(":", cursor.position())) {
            return encoded(encoding.get(), at, depth);
        }
        if (cursor.next(CLOSING) == null) {
            throw cursor.failure(
                    "a name, or counter, counter:user, random:1..6, uuid, now, now:s, now:us, user, iteration,"
                            + " base64:…, base64url:…, hex:…, urlencode:…, json:…, hmac:name:…, hs256:name:… or"
                            + " jwt:name:…; a brace itself is {{",
                    at);
        }
        return new Value(name);
    }

    private Built built(PlaceholderSource source, int at) {
        if (source == PlaceholderSource.COUNTER && cursor.next(OF_USER) != null) {
            return new Built(PlaceholderSource.COUNTER_OF_USER, 0, 0);
        }
        String unit = source == PlaceholderSource.NOW ? cursor.next(UNIT) : null;
        if (unit != null) {
            return new Built(
                    unit.equals("s") ? PlaceholderSource.NOW_IN_SECONDS : PlaceholderSource.NOW_IN_MICROS, 0, 0);
        }
        String range = source.hasRange() || source == PlaceholderSource.ITERATION ? cursor.next(RANGE) : null;
        if (range == null) {
            if (source == PlaceholderSource.RANDOM) {
                throw cursor.failure("{random:1..6}", at);
            }
            String or = source == PlaceholderSource.ITERATION ? " or {iteration:0..9}" : "";
            close("{" + name(source) + "}" + or, at);
            return new Built(source, 0, 0);
        }
        int dots = range.indexOf("..");
        long from = Long.parseLong(range.substring(0, dots));
        long to = Long.parseLong(range.substring(dots + 2));
        if (from > to) {
            throw cursor.failure("a range whose first number is the least", at);
        }
        return new Built(
                source == PlaceholderSource.ITERATION ? PlaceholderSource.ITERATION_IN_TURN : source, from, to);
    }

    private Encoded encoded(Encoding encoding, int at, int depth) {
        String key = "";
        if (encoding.hasKey()) {
            key = Optional.ofNullable(cursor.next(KEY)).orElse("");
            if (key.isEmpty()) {
                throw cursor.failure("{" + name(encoding) + ":name of the key:text}", at);
            }
        } else {
            cursor.next(COLON);
        }
        Template of = template(depth + 1);
        close("a } that ends {" + name(encoding) + ":", at);
        return new Encoded(encoding, key, of);
    }

    private void close(String expected, int at) {
        @Nullable String closing = cursor.next(CLOSING);
        if (closing == null) {
            throw cursor.failure(expected, at);
        }
    }

    private static <E extends Enum<E>> Optional<E> find(E[] values, String name) {
        return Arrays.stream(values).filter(value -> name(value).equals(name)).findFirst();
    }

    private static String name(Enum<?> value) {
        return value.toString().toLowerCase(Locale.ROOT);
    }

    /** Whether a name stands for something already. */
    static boolean isReserved(String name) {
        return find(PlaceholderSource.values(), name).isPresent();
    }
}
