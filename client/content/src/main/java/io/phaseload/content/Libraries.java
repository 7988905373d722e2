package io.phaseload.content;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.phaseload.journey.ContentReader;
import io.phaseload.plan.journey.Extraction;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.brotli.dec.BrotliInputStream;

/** Jayway JsonPath, jsoup, RE2/J, networknt's JSON Schema validator, Brotli's decoder and zstd-jni. Thread-safe. */
public final class Libraries implements ContentReader {

    /** For {@link java.util.ServiceLoader}. */
    public Libraries() {}

    @Override
    public Finder finder(Extraction.ResponsePart language, String expression) {
        return switch (language) {
            case JSONPATH -> JsonPaths.finder(expression);
            case CSS -> CssSelectors.finder(expression);
            case XPATH -> XPaths.finder(expression);
            default -> throw new IllegalArgumentException("no library for " + language);
        };
    }

    @Override
    public Predicate<String> pattern(String expression) {
        try {
            Pattern pattern = Pattern.compile(expression);
            return text -> pattern.matcher(text).find();
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("expected a regular expression of RE2: " + e.getMessage(), e);
        }
    }

    @Override
    public Function<byte[], Optional<String>> schema(byte[] schema) {
        return JsonSchemas.deviation(schema);
    }

    @Override
    public InputStream decoded(String coding, InputStream body) throws IOException {
        return switch (coding) {
            case "br" -> new BrotliInputStream(body);
            case "zstd" -> zstd(body);
            default -> throw new IllegalArgumentException("no library for " + coding);
        };
    }

    /** It is native. */
    private static InputStream zstd(InputStream body) throws IOException {
        try {
            return new ZstdInputStreamNoFinalizer(body);
        } catch (LinkageError e) {
            throw new IOException("this system has no library for it", e);
        }
    }
}
