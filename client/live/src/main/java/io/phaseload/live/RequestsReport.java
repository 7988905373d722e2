package io.phaseload.live;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.phaseload.report.cells.Columns;
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

    private record RowGroup(String phase, String name) {}

    /** The requests of an operation in a phase. */
    private static final class OperationTimes {

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
        Map<RowGroup, OperationTimes> requests = new LinkedHashMap<>();
        Map<RowGroup, Long> failures =
                new TreeMap<>(Comparator.comparing(RowGroup::phase).thenComparing(RowGroup::name));
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

    private static void add(CsvRecord row, Map<RowGroup, OperationTimes> requests, Map<RowGroup, Long> failures) {
        String phase = field(row, "phase");
        String cause = field(row, "cause");
        double millis = Double.parseDouble(field(row, "end_ms"));
        OperationTimes of =
                requests.computeIfAbsent(new RowGroup(phase, field(row, "operation")), any -> new OperationTimes());
        of.nanos.recordValue(Math.round(millis * NANOS_PER_MILLI));
        if (!cause.isEmpty()) {
            of.failed++;
            failures.merge(new RowGroup(phase, cause), 1L, Long::sum);
        }
    }

    private static String field(CsvRecord row, String column) {
        return row.getField(RequestsFile.COLUMNS.indexOf(column));
    }

    private static Table table(Map<RowGroup, OperationTimes> requests) {
        return new Columns<Map.Entry<RowGroup, OperationTimes>>()
                .text("phase", of -> of.getKey().phase())
                .text("operation", of -> of.getKey().name())
                .count("requests", of -> of.getValue().nanos.getTotalCount())
                .count("failed", of -> of.getValue().failed)
                .number("mean_ms", "mean", "ms", of -> of.getValue().nanos.getMean() / NANOS_PER_MILLI)
                .number("p50_ms", "p50", "ms", of -> SecondJson.percentile(of.getValue().nanos, 50))
                .number("p95_ms", "p95", "ms", of -> SecondJson.percentile(of.getValue().nanos, 95))
                .number("p99_ms", "p99", "ms", of -> SecondJson.percentile(of.getValue().nanos, 99))
                .number("max_ms", "max", "ms", of -> of.getValue().nanos.getMaxValue() / NANOS_PER_MILLI)
                .table("requests", requests.entrySet().stream());
    }

    private static Table failures(Map<RowGroup, Long> failures) {
        return new Columns<Map.Entry<RowGroup, Long>>()
                .text("phase", of -> of.getKey().phase())
                .text("cause", of -> of.getKey().name())
                .count("requests", Map.Entry::getValue)
                .table("failures", failures.entrySet().stream());
    }
}
