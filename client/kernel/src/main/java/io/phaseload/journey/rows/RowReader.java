package io.phaseload.journey.rows;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.phaseload.plan.journey.Feeder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/** Reads the rows of a data file one after another. */
final class RowReader implements Iterator<String[]>, AutoCloseable {

    private final Feeder feeder;
    private final List<String> columns;
    private final CloseableIterator<?> values;
    // Of CSV, where the columns are in a line.
    private int[] places = {};
    private long index;
    private String[] next;

    private RowReader(Feeder feeder, List<String> columns, InputStream in) {
        this.feeder = feeder;
        this.columns = columns;
        this.values = feeder.format() == Feeder.Format.CSV
                ? CsvReader.builder()
                        .detectBomHeader(true)
                        .ofCsvRecord(in, StandardCharsets.UTF_8)
                        .iterator()
                : new JsonObjects(in);
        if (feeder.format() == Feeder.Format.CSV && values.hasNext()) {
            readNames(((CsvRecord) values.next()).getFields());
        }
        advance();
    }

    /**
     * Opens a feeder's file.
     *
     * @param columns the values of a row, in order
     * @throws IOException if it can't be opened
     * @throws IllegalArgumentException if it isn't of its format, or lacks a column
     */
    static RowReader open(Feeder feeder, List<String> columns) throws IOException {
        InputStream in = Files.newInputStream(feeder.file());
        try {
            return new RowReader(feeder, columns, in);
        } catch (RuntimeException e) {
            in.close();
            throw isSyntax(e) ? failure(feeder, 1, message(e)) : e;
        }
    }

    private static boolean isSyntax(RuntimeException e) {
        return e instanceof JacksonException || e instanceof CsvParseException;
    }

    private static String message(RuntimeException e) {
        if (e instanceof JacksonException json) {
            return json.getOriginalMessage();
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage());
    }

    private void readNames(List<String> names) {
        places = columns.stream().mapToInt(names::indexOf).toArray();
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0) {
                throw new IllegalArgumentException("data %s: {%s.%s}: expected a column of %s: %s"
                        .formatted(
                                feeder.name(), feeder.name(), columns.get(i), feeder.file(), String.join(", ", names)));
            }
        }
    }

    private void advance() {
        next = null;
        try {
            if (values.hasNext()) {
                Object value = values.next();
                index++;
                next = row(value);
            }
        } catch (JacksonException | CsvParseException e) {
            throw failure(feeder, index + 1, message(e));
        }
    }

    private String[] row(Object value) {
        String[] row = new String[columns.size()];
        if (value instanceof CsvRecord line) {
            for (int i = 0; i < row.length; i++) {
                row[i] = line.getField(places[i]);
            }
        } else {
            JsonNode object = (JsonNode) value;
            for (int i = 0; i < row.length; i++) {
                JsonNode cell = object.path(columns.get(i));
                if (cell.isMissingNode() || cell.isNull()) {
                    throw failure(feeder, index, "expected a key " + columns.get(i));
                }
                row[i] = cell.isValueNode() ? cell.asString() : cell.toString();
            }
        }
        return row;
    }

    private static IllegalArgumentException failure(Feeder feeder, long row, String what) {
        return new IllegalArgumentException(
                "data %s: %s: row %d: %s".formatted(feeder.name(), feeder.file(), row, what));
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public String[] next() {
        if (next == null) {
            throw new NoSuchElementException();
        }
        String[] row = next;
        advance();
        return row;
    }

    @Override
    public void close() {
        try {
            values.close();
        } catch (IOException ignored) {
            // Nothing was written to it.
        }
    }

    /** Objects one after another, or in an array. */
    private record JsonObjects(MappingIterator<JsonNode> objects) implements CloseableIterator<JsonNode> {

        JsonObjects(InputStream in) {
            this(JsonMapper.shared().readerFor(JsonNode.class).readValues(in));
        }

        @Override
        public boolean hasNext() {
            return objects.hasNext();
        }

        @Override
        public JsonNode next() {
            return objects.next();
        }

        @Override
        public void close() {
            objects.close();
        }
    }
}
