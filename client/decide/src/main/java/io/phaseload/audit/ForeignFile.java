package io.phaseload.audit;

import de.siegmar.fastcsv.reader.CsvParseException;
import io.phaseload.files.FileProblem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads another tool's result, whose format it recognises by its beginning. */
public final class ForeignFile {

    private static final Pattern VEGETA_CSV = Pattern.compile("\\d{15,},\\d+,\\d+,.*");
    private static final Pattern JMETER_ROW = Pattern.compile("\\d{12,14},\\d+,.*");
    private static final String EXPECTED = "expected a result of k6 (summary or JSON lines), JMeter (JTL as CSV),"
            + " vegeta (report or results as JSON or CSV), oha (JSON) or Locust (stats or history as CSV)";

    private ForeignFile() {}

    /**
     * Reads and judges a file.
     *
     * @param file of a format that is known
     * @param users the number of users or connections, if the file doesn't have it
     * @return the outcome
     * @throws IOException if it can't be read; its message names the line of a mistake, and the file
     */
    public static Audit audit(Path file, OptionalDouble users) throws IOException {
        try {
            ForeignRun run = read(file);
            if (!(run.requests() > 0)) {
                throw new IOException(file + ": expected at least one request in a result of "
                        + run.format().title());
            }
            return Audit.of(run, users);
        } catch (LineMistake e) {
            throw new IOException("%s, line %d: %s".formatted(file, e.line(), e.getMessage()), e);
        } catch (MalformedInputException e) {
            throw new IOException(file + ": " + EXPECTED + ": it isn't UTF-8 text (vegeta encode makes JSON)", e);
        } catch (CsvParseException e) {
            throw new IOException(file + ": expected whole rows of CSV: " + FileProblem.of(e), e);
        }
    }

    private static ForeignRun read(Path file) throws IOException {
        String first = firstLine(file);
        if (first.startsWith("{")) {
            return json(file, first);
        }
        if (first.startsWith("Type,Name,Request Count,")) {
            return LocustFiles.stats(file);
        }
        if (first.startsWith("Timestamp,User Count,")) {
            return LocustFiles.history(file);
        }
        if (first.contains("timeStamp") && first.contains("elapsed")
                || JMETER_ROW.matcher(first).matches()) {
            return JmeterFile.read(file, first);
        }
        if (VEGETA_CSV.matcher(first).matches()) {
            return VegetaFiles.csv(file);
        }
        throw new LineMistake(1, EXPECTED);
    }

    private static String firstLine(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException(file + ": " + EXPECTED + ", and not an empty file");
            }
            return line.strip();
        }
    }

    private static ForeignRun json(Path file, String first) throws IOException {
        JsonNode line = parsed(first);
        if (line != null && line.path("metric").isString() && line.path("type").isString()) {
            return K6Files.lines(file);
        }
        if (line != null && line.has("timestamp") && line.has("latency")) {
            return VegetaFiles.lines(file);
        }
        JsonNode whole;
        try {
            whole = JsonRows.MAPPER.readTree(Files.readString(file));
        } catch (JacksonException e) {
            throw new LineMistake(
                    e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                    "expected JSON: "
                            + String.valueOf(e.getOriginalMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""));
        }
        if (whole.path("latencies").isObject() && whole.has("status_codes")) {
            return VegetaFiles.report(whole);
        }
        if (whole.path("summary").has("requestsPerSec")) {
            return OhaFile.read(whole);
        }
        if (whole.has("metrics") || whole.at("/results/metrics").isArray()) {
            return K6Files.summary(whole);
        }
        throw new LineMistake(1, EXPECTED);
    }

    /** {@code null} if it isn't JSON as a whole. */
    private static JsonNode parsed(String line) {
        try {
            return JsonRows.MAPPER.readTree(line);
        } catch (JacksonException e) {
            return null;
        }
    }
}
