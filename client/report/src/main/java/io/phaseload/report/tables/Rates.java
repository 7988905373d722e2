package io.phaseload.report.tables;

import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Column;
import io.phaseload.timing.Timing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The columns of all tables over time: rates and response times. */
public final class Rates {

    private static final List<Column> COLUMNS = List.of(
            Column.of("requests_per_second", "requests per second", ""),
            Column.of("failed_per_second", "failed per second", ""),
            Column.of("p50_ms", "p50", "ms"),
            Column.of("p95_ms", "p95", "ms"),
            Column.of("p99_ms", "p99", "ms"),
            Column.of("max_ms", "max", "ms"));

    private Rates() {}

    /** The columns, after those that identify the point. */
    public static List<Column> columns(Column... first) {
        return Stream.concat(Stream.of(first), COLUMNS.stream()).toList();
    }

    /** The cells of a point: what ended in so many seconds, after the cells that say which it is. */
    public static List<Object> row(Tally ended, double seconds, Object... first) {
        Histogram response = ended.histogram(Timing.RESPONSE);
        List<Object> row = new ArrayList<>(Arrays.asList(first));
        row.add(ended.requests() / seconds);
        row.add(ended.failed() / seconds);
        row.add(Percentiles.millis(response, 50));
        row.add(Percentiles.millis(response, 95));
        row.add(Percentiles.millis(response, 99));
        row.add(Percentiles.maxMillis(response));
        return row;
    }
}
