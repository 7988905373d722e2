package io.phaseload.live;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;

/**
 * The figures of a file of requests: {@code requests} by phase and operation, and {@code failures} by phase and cause.
 *
 * @param tables both
 * @param cut the reason for which rows at the file's end are missing, as after a run that was killed; empty if it is
 *     whole
 */
public record RequestsReport(List<Table> tables, Optional<String> cut) {

    private static final double NANOS_PER_MILLI = 1e6;

    private record Place(String phase, String name) {}

    /** The requests of an operation in a phase. */
    private static final class Requests {

        private final Histogram nanos = new Histogram(3);
        private long failed;
    }

    /**
     * Reads a file.
     *
     * @param file as {@link RequestsFile} writes it
     * @return its figures
     * @throws IOException if it can't be opened, or if a column is missing
     */
    public static RequestsReport read(Path file) throws IOException {
        Map<Place, Requests> requests = new LinkedHashMap<>();
        Map<Place, Long> failures =
                new TreeMap<>(Comparator.comparing(Place::phase).thenComparing(Place::name));
        boolean[] cut = {false};
        try (InputStream in = untilCut(opened(file), cut);
                CsvReader<CsvRecord> rows =
                        CsvReader.builder().allowMissingFields(true).ofCsvRecord(in, StandardCharsets.UTF_8)) {
            for (CsvRecord row : rows) {
                if (row.getStartingLineNumber() == 1 && !row.getFields().equals(RequestsFile.COLUMNS)) {
                    throw new IOException("expected the columns " + String.join(",", RequestsFile.COLUMNS));
                }
                if (row.getFieldCount() < RequestsFile.COLUMNS.size()) {
                    cut[0] = true;
                } else if (row.getStartingLineNumber() > 1) {
                    add(row, requests, failures);
                }
            }
        }
        return new RequestsReport(
                List.of(table(requests), failures(failures)),
                cut[0] ? Optional.of("it ends within a row") : Optional.empty());
    }

    /** Ends where the rest of a compressed file is missing, and remembers that. */
    private static InputStream untilCut(InputStream whole, boolean[] cut) {
        return new FilterInputStream(whole) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                try {
                    return in.read(bytes, offset, length);
                } catch (EOFException | ZstdIOException e) {
                    cut[0] = true;
                    return -1;
                }
            }
        };
    }

    private static InputStream opened(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        String name = file.toString();
        if (name.endsWith(".gz")) {
            return new GZIPInputStream(in, 1 << 16);
        }
        return name.endsWith(".zst") ? new ZstdInputStream(in) : in;
    }

    private static void add(CsvRecord row, Map<Place, Requests> requests, Map<Place, Long> failures) {
        String phase = field(row, "phase");
        String cause = field(row, "cause");
        double millis = Double.parseDouble(field(row, "end_ms"));
        Requests of = requests.computeIfAbsent(new Place(phase, field(row, "operation")), any -> new Requests());
        of.nanos.recordValue(Math.round(millis * NANOS_PER_MILLI));
        if (!cause.isEmpty()) {
            of.failed++;
            failures.merge(new Place(phase, cause), 1L, Long::sum);
        }
    }

    private static String field(CsvRecord row, String column) {
        return row.getField(RequestsFile.COLUMNS.indexOf(column));
    }

    private static Table table(Map<Place, Requests> requests) {
        Table.Builder table = new Table.Builder(
                "requests",
                Column.text("phase"),
                Column.text("operation"),
                Column.count("requests"),
                Column.count("failed"),
                Column.of("mean_ms", "mean", "ms"),
                Column.of("p50_ms", "p50", "ms"),
                Column.of("p95_ms", "p95", "ms"),
                Column.of("p99_ms", "p99", "ms"),
                Column.of("max_ms", "max", "ms"));
        requests.forEach((place, of) -> table.row(
                place.phase(),
                place.name(),
                of.nanos.getTotalCount(),
                of.failed,
                of.nanos.getMean() / NANOS_PER_MILLI,
                SecondJson.percentile(of.nanos, 50),
                SecondJson.percentile(of.nanos, 95),
                SecondJson.percentile(of.nanos, 99),
                of.nanos.getMaxValue() / NANOS_PER_MILLI));
        return table.build();
    }

    private static Table failures(Map<Place, Long> failures) {
        Table.Builder table =
                new Table.Builder("failures", Column.text("phase"), Column.text("cause"), Column.count("requests"));
        failures.forEach((place, count) -> table.row(place.phase(), place.name(), count));
        return table.build();
    }
}
