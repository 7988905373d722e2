package io.phaseload.cli.stored;

import io.phaseload.input.Secrets;
import io.phaseload.measure.KeptRequest;
import io.phaseload.plan.journey.Template;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a kept request. Values that a result doesn't have, such as secrets, are variables of the shell.
 *
 * @param template has these values by name
 */
record ShellText(Template template, KeptRequest of) {

    /** A secret, after the name of its parameter if it has one. */
    private static final Pattern REDACTED =
            Pattern.compile("(?:([A-Za-z][\\w.-]*)=)?" + Pattern.quote(Secrets.REDACTED));

    /** Of a text without values but for removed secrets; the name is that of a secret without a parameter. */
    static ShellText of(String redacted, String name, KeptRequest of) {
        String template = REDACTED.matcher(Template.quoted(redacted))
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(1) == null
                                ? "{" + variable(name) + "}"
                                : match.group(1) + "={" + variable(match.group(1)) + "}"));
        return new ShellText(Template.parse(template), of);
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** One word of a command of a POSIX shell. */
    String quoted() {
        if (template.isLiteral()) {
            return "'" + with(name -> "").replace("'", "'\\''") + "'";
        }
        StringBuilder all = new StringBuilder("\"");
        for (Template.Part part : template.parts()) {
            all.append(
                    part instanceof Template.Literal literal
                            ? literal.text().replaceAll("[\\\\\"$`]", "\\\\$0")
                            : value(part, name -> "${" + name + "}"));
        }
        return all.append('"').toString();
    }

    /** The text with values of variables. */
    String with(UnaryOperator<String> values) {
        StringBuilder all = new StringBuilder();
        for (Template.Part part : template.parts()) {
            all.append(part instanceof Template.Literal literal ? literal.text() : value(part, values));
        }
        return all.toString();
    }

    /** Adds the names of its variables. */
    void addVariables(Set<String> names) {
        with(name -> {
            names.add(name);
            return "";
        });
    }

    private String value(Template.Part part, UnaryOperator<String> values) {
        if (part instanceof Template.Built built) {
            if (built.source() == Template.PlaceholderSource.USER) {
                return Long.toString(of.user());
            }
            if (built.source() == Template.PlaceholderSource.ITERATION
                    && of.iteration().isPresent()) {
                return Long.toString(of.iteration().get());
            }
            return values.apply(variable(built.source().toString()));
        }
        return values.apply(variable(
                part instanceof Template.Encoded encoded
                        ? encoded.encoding() + "_"
                                + String.join("_", encoded.of().names())
                        : ((Template.Value) part).name()));
    }
}
