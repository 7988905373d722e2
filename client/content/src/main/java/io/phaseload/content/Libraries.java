package io.phaseload.content;

import io.phaseload.journey.ContentReader;
import io.phaseload.plan.journey.Extraction;

/** Jayway JsonPath and jsoup. Thread-safe. */
public final class Libraries implements ContentReader {

    /** For {@link java.util.ServiceLoader}. */
    public Libraries() {}

    @Override
    public Finder finder(Extraction.Source language, String expression) {
        return switch (language) {
            case JSONPATH -> JsonPaths.finder(expression);
            case CSS -> CssSelectors.finder(expression);
            case XPATH -> XPaths.finder(expression);
            default -> throw new IllegalArgumentException("no library for " + language);
        };
    }
}
