package io.phaseload.content;

import io.phaseload.journey.ContentReader.Finder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;
import org.jsoup.select.Selector;

/** CSS selectors, by jsoup. */
final class CssSelectors {

    /** An attribute behind a selector; an {@code @} in a selector stands in quotes or brackets. */
    private static final Pattern WITH_ATTRIBUTE = Pattern.compile("(.+)@([A-Za-z_][\\w:.-]*)");

    private CssSelectors() {}

    static Finder finder(String expression) {
        Matcher with = WITH_ATTRIBUTE.matcher(expression);
        String selector = with.matches() ? with.group(1) : expression;
        String attribute = with.matches() ? with.group(2) : "";
        try {
            Evaluator evaluator = Selector.evaluatorOf(selector);
            return body -> find(evaluator, attribute, body);
        } catch (Selector.SelectorParseException | IllegalArgumentException e) {
            throw new IllegalArgumentException("expected a CSS selector: " + e.getMessage(), e);
        }
    }

    private static List<String> find(Evaluator evaluator, String attribute, byte[] body) {
        List<String> found = new ArrayList<>();
        for (Element element : html(body).select(evaluator)) {
            if (attribute.isEmpty()) {
                found.add(element.text());
            } else if (element.hasAttr(attribute)) {
                found.add(element.attr(attribute));
            }
        }
        return found;
    }

    /** Any bytes are HTML, in the encoding that they say themselves, or else UTF-8. */
    static Document html(byte[] body) {
        try {
            return Jsoup.parse(new ByteArrayInputStream(body), null, "");
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be read", e);
        }
    }
}
