package io.phaseload.plan.journey;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A value that is taken from a response, for later steps. Of a body, its first MiB is looked at.
 *
 * @param name later templates take its value by: letters, digits and {@code _}
 * @param source its place
 * @param expression a JSON Pointer (RFC 6901), in which {@code *} stands for each element or member, a JSONPath, a CSS
 *     selector, behind which {@code @name} takes an attribute, an XPath, a regular expression whose first group, or
 *     else the whole, is the value, or the name of a header or a cookie
 * @param otherwise the value where the response has none; without it, that is a failure
 * @param take the one to take, of several in a response
 */
public record Extraction(String name, ResponsePart source, String expression, Optional<String> otherwise, Take take) {

    /** Which value, where a response has several. */
    public enum Take {
        /** The first one. */
        FIRST,
        /** The last one. */
        LAST,
        /** Any of them, by the user's random numbers. */
        RANDOM,
        /** All of them, with commas between. */
        ALL,
        /** How many there are: 0 or more. */
        COUNT
    }

    /** Where a value is. */
    public enum ResponsePart {
        /** At a JSON Pointer in the body. */
        JSON,
        /** Where a JSONPath leads to in the body. */
        JSONPATH,
        /** The values of a CSS selector in a body of HTML: texts, or an attribute. */
        CSS,
        /** The values of an XPath 1.0 expression in a body of HTML. */
        XPATH,
        /** The first match of a regular expression in the body, as UTF-8. */
        REGEX,
        /** The first header of a name. */
        HEADER,
        /** The value of a cookie that the response sets. */
        COOKIE;

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,39}");
    private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)*");
    static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Extraction {
        checkName(name);
        switch (source) {
            case JSON -> checkPointer(expression);
                // What they mean, phaseload-content knows alone: it checks them before a run.
            case JSONPATH, CSS, XPATH -> Args.notBlank(source.key(), expression);
            case HEADER, COOKIE -> check(expression, TOKEN, "a name");
            case REGEX -> checkExpression("extract", expression);
        }
    }

    /**
     * Checks the name of a value.
     *
     * @throws IllegalArgumentException if templates can't name it, or it stands for something else
     */
    static String checkName(String name) {
        if (!NAME.matcher(name).matches() || TemplateText.isReserved(name)) {
            throw new ValueException(
                    "name '%s'".formatted(name), "letters, digits and _, and none that templates know");
        }
        return name;
    }

    static void checkPointer(String expression) {
        check(expression, POINTER, "a JSON Pointer such as /items/0/id");
    }

    static void checkExpression(String what, String expression) {
        try {
            Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new ValueException(
                    "%s '%s'".formatted(what, expression), "a regular expression: " + e.getDescription(), e);
        }
    }

    private static void check(String expression, Pattern allowed, String expected) {
        if (!allowed.matcher(expression).matches()) {
            throw new ValueException("extract '%s'".formatted(expression), expected);
        }
    }

    /**
     * An extraction whose value must be there.
     *
     * @param name see {@link #name()}
     * @param from {@code json:/pointer}, {@code jsonpath:path}, {@code css:selector}, {@code css:selector@attribute},
     *     {@code xpath:expression}, {@code regex:expression}, {@code header:name} or {@code cookie:name}
     * @throws IllegalArgumentException if it is none of these
     */
    public static Extraction of(String name, String from) {
        int colon = from.indexOf(':');
        String kind = colon < 0 ? "" : from.substring(0, colon);
        ResponsePart source = Arrays.stream(ResponsePart.values())
                .filter(known -> known.key().equals(kind))
                .findFirst()
                .orElseThrow(() -> new ValueException(
                        "json:/pointer, jsonpath:…, css:…, xpath:…, regex:…, header:name or cookie:name"));
        return new Extraction(name, source, from.substring(colon + 1), Optional.empty(), Take.FIRST);
    }

    /**
     * This extraction with a default.
     *
     * @param value the value if the response has none
     * @return a copy
     */
    public Extraction orElse(String value) {
        return new Extraction(name, source, expression, Optional.of(value), take);
    }

    /**
     * This extraction with another choice.
     *
     * @param which see {@link #take()}
     * @return a copy
     */
    public Extraction take(Take which) {
        return new Extraction(name, source, expression, otherwise, which);
    }

    /** {@return true if it is in a response's header: else in its body} */
    public boolean ofHead() {
        return source == ResponsePart.HEADER || source == ResponsePart.COOKIE;
    }

    /** {@return true if it takes libraries that only {@code phaseload-content} has} */
    public boolean ofLibrary() {
        return source == ResponsePart.JSONPATH || source == ResponsePart.CSS || source == ResponsePart.XPATH;
    }

    /** {@return the form that {@link #of} reads: without its name and its default} */
    public String from() {
        return source.key() + ":" + expression;
    }
}
