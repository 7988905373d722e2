package io.phaseload.verdict.rules;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/** The texts of findings, from a file of properties. */
public final class FindingTexts {

    private final Properties texts = new Properties();

    /**
     * Reads all texts.
     *
     * @param beside the class whose package has the file
     */
    public FindingTexts(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file);
                Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            texts.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * One of the texts.
     *
     * @throws IllegalArgumentException if the file doesn't have it
     */
    public String get(String key) {
        return find(key).orElseThrow(() -> new IllegalArgumentException(key + ": no text"));
    }

    Optional<String> find(String key) {
        return Optional.ofNullable(texts.getProperty(key));
    }

    /** {@return the keys of all texts} */
    public Set<String> keys() {
        return texts.stringPropertyNames();
    }
}
