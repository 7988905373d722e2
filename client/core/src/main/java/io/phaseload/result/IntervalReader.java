package io.phaseload.result;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Kind;
import io.phaseload.measure.ServerFigures;
import io.phaseload.measure.Tally;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * Reads back what {@link IntervalFiles} wrote. Both files are in the same order: a record of {@code
 * intervals.csv} and its histograms in {@code latency.hlog}. A run that was killed may have left
 * the end of one of them unwritten; what isn't whole is left out.
 */
final class IntervalReader {

    private final Path folder;
    private final List<String> operations;
    private final ServerRow serverRow;

    /** A reader of a folder whose plan has these operations, and asks for these figures. */
    IntervalReader(Path folder, List<String> operations, List<String> serverFigures) {
        this.folder = folder;
        this.operations = operations;
        this.serverRow = new ServerRow(serverFigures);
    }

    List<Interval> read() throws IOException {
        try (Histograms histograms = new Histograms(folder.resolve(IntervalFiles.HLOG))) {
            return read(histograms);
        }
    }

    private List<Interval> read(Histograms histograms) throws IOException {
        List<Interval> intervals = new ArrayList<>();
        List<String> records = records();
        List<String> columns = Csv.cells(records.isEmpty() ? "" : records.get(0));
        for (String csv : records.subList(Math.min(1, records.size()), records.size())) {
            IntervalRow row;
            try {
                Map<String, String> cells = IntervalRow.byColumn(columns, csv);
                if ("".equals(cells.get("operation"))) {
                    addServer(intervals, cells);
                    continue;
                }
                row = IntervalRow.parse(cells);
            } catch (IllegalArgumentException e) {
                break;
            }
            Map<Kind, Histogram> kinds = take(histograms, row);
            if (!kinds.containsKey(Kind.RESPONSE)) {
                break;
            }
            add(intervals, row, Tally.of(kinds, row.causes(), row.counters(), row.metrics()));
        }
        return intervals;
    }

    private List<String> records() throws IOException {
        // Not Files.readString: the last character may be cut off.
        byte[] bytes = Files.readAllBytes(folder.resolve(IntervalFiles.CSV));
        return Csv.records(new String(bytes, StandardCharsets.UTF_8));
    }

    private record Tagged(HistogramTag tag, Histogram histogram) {}

    /** Those of the log one after another: all at once wouldn't fit into memory. */
    private static final class Histograms implements Closeable {

        private final HistogramLogReader reader;
        private Tagged next;

        Histograms(Path log) throws IOException {
            reader = new HistogramLogReader(log.toFile());
            next = following();
        }

        /** The one to come; {@code null} after the last. */
        Tagged peek() {
            return next;
        }

        Histogram poll() {
            Histogram histogram = next.histogram();
            next = following();
            return histogram;
        }

        private Tagged following() {
            try {
                while (reader.hasNext()) {
                    EncodableHistogram read = reader.nextIntervalHistogram();
                    if (read instanceof Histogram histogram) {
                        return new Tagged(HistogramTag.parse(histogram.getTag()), histogram);
                    }
                }
            } catch (RuntimeException cutOff) {
                // The last line wasn't written to its end.
            }
            return null;
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /** The histograms of a line: each kind once, as far as phase and operation are the line's. */
    private static Map<Kind, Histogram> take(Histograms histograms, IntervalRow row) {
        Map<Kind, Histogram> kinds = new EnumMap<>(Kind.class);
        while (histograms.peek() != null) {
            HistogramTag tag = histograms.peek().tag();
            boolean sameLine =
                    tag.phase().equals(row.phase())
                            && tag.operation().equals(row.operation())
                            && !kinds.containsKey(tag.kind());
            if (!sameLine) {
                break;
            }
            kinds.put(tag.kind(), histograms.poll());
        }
        return kinds;
    }

    private void addServer(List<Interval> intervals, Map<String, String> cells) {
        ServerFigures figures = serverRow.parse(cells);
        Interval last =
                lastOrNew(
                        intervals,
                        cells.get("phase"),
                        IntervalRow.seconds(cells.get("start_s")),
                        IntervalRow.seconds(cells.get("length_s")));
        intervals.set(intervals.size() - 1, last.with(figures));
    }

    /** The last interval, if it is this one; else a new one at the end, in which nothing ended. */
    private Interval lastOrNew(
            List<Interval> intervals, String phase, Duration start, Duration length) {
        Interval last = intervals.isEmpty() ? null : intervals.get(intervals.size() - 1);
        if (last != null && last.phase().equals(phase) && last.start().equals(start)) {
            return last;
        }
        List<Tally> tallies = new ArrayList<>();
        operations.forEach(operation -> tallies.add(new Tally()));
        intervals.add(new Interval(phase, start, length, tallies));
        return intervals.get(intervals.size() - 1);
    }

    private void add(List<Interval> intervals, IntervalRow row, Tally tally) {
        Interval last = lastOrNew(intervals, row.phase(), row.start(), row.length());
        int operation = operations.indexOf(row.operation());
        if (operation < 0) {
            throw new IllegalArgumentException(
                    "operation " + row.operation() + ": expected one of the plan's");
        }
        // Of runs that were merged, two may have begun an interval at the same time.
        Tally before = last.operations().get(operation);
        if (before.requests() == 0) {
            last.operations().set(operation, tally);
        } else {
            before.add(tally);
            before.pack();
        }
    }
}
