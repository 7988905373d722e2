package io.phaseload.result.store;

import io.phaseload.files.Csv;
import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.timing.Timing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link IntervalFiles} wrote. Both files are in the same order: each record of {@code intervals.csv} has
 * its histograms in {@code latency.hlog}. A killed run may have left one of them incomplete; incomplete intervals are
 * left out.
 */
final class IntervalReader {

    /** The columns that every row needs; columns of later versions may be missing. */
    private static final List<String> REQUIRED = List.of(
            "phase",
            "operation",
            "start_s",
            "length_s",
            "responses",
            "censored",
            "bytes_received",
            "reconnects",
            "failures");

    /** The columns that repeat what is in the histograms. */
    private static final Map<String, Timing> COUNTS = Map.of(
            "requests", Timing.RESPONSE,
            "failed", Timing.FAILED,
            "connections", Timing.SET_UP);

    private final Path folder;
    private final List<String> phases;
    private final List<String> operations;
    // What is timed as a whole, behind the operations.
    private final int journeys;
    private final HostColumns serverColumns;

    /**
     * The contents of the files.
     *
     * @param intervals in order
     * @param gap the place where they end too early or disagree, if there is one
     */
    record Read(List<Interval> intervals, Optional<String> gap) {}

    /** Creates a reader for a plan with these phases, operations, journeys and figures of the target. */
    IntervalReader(
            Path folder,
            List<String> phases,
            List<String> operations,
            List<String> journeys,
            List<String> serverFigures) {
        this.folder = folder;
        this.phases = phases;
        this.operations = Stream.concat(operations.stream(), journeys.stream()).toList();
        this.journeys = journeys.size();
        this.serverColumns = HostColumns.server(serverFigures);
    }

    Read read() throws IOException {
        Path log = existing(IntervalFiles.HLOG);
        try (Histograms histograms = new Histograms(log)) {
            Read read = read(histograms);
            Optional<String> broken = HistogramLines.broken(log, read.gap().isPresent());
            return broken.isEmpty() ? read : new Read(read.intervals(), broken);
        }
    }

    private Path existing(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is missing");
        }
        return file;
    }

    private Read read(Histograms histograms) throws IOException {
        // Not Files.readString: the last character may be cut off.
        byte[] bytes = Files.readAllBytes(existing(IntervalFiles.CSV));
        String text = new String(bytes, StandardCharsets.UTF_8);
        List<String> records = Csv.records(text);
        List<Interval> intervals = new ArrayList<>();
        List<String> columns = Csv.cells(records.isEmpty() ? "" : records.get(0));
        if (!columns.containsAll(REQUIRED) || isDamaged(columns)) {
            return new Read(intervals, Optional.of("intervals.csv has no header line"));
        }
        for (int i = 1; i < records.size(); i++) {
            String row = "row " + (i + 1) + " of intervals.csv";
            Optional<String> gap;
            try {
                gap = add(intervals, IntervalRow.byColumn(columns, records.get(i)), histograms);
            } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
                gap = Optional.of("%s can't be read");
            }
            if (gap.isPresent()) {
                return new Read(intervals, Optional.of(gap.get().formatted(row)));
            }
        }
        if (!text.endsWith("\n")) {
            return new Read(intervals, Optional.of("the last row of intervals.csv is truncated"));
        }
        return new Read(
                intervals,
                histograms.peek() == null ? Optional.empty() : Optional.of("intervals.csv ends before latency.hlog"));
    }

    /**
     * Earlier versions have fewer columns, later ones may have more. An unknown column is an error only if a known one
     * is missing, too.
     */
    private boolean isDamaged(List<String> columns) {
        List<String> known = new ArrayList<>(IntervalRow.COLUMNS);
        known.add(IntervalFiles.CLIENT);
        known.addAll(HostColumns.CLIENT.columns());
        known.addAll(serverColumns.columns());
        return !known.containsAll(columns) && !columns.containsAll(known);
    }

    /** The mistake in a row or its histograms; has a placeholder for the row. */
    private Optional<String> add(List<Interval> intervals, Map<String, String> cells, Histograms histograms)
            throws IOException {
        checkKnown("phase", IntervalRow.cell(cells, "phase"), phases);
        if (IntervalRow.cell(cells, "operation").isEmpty()) {
            addFigures(intervals, cells);
            return Optional.empty();
        }
        checkKnown("operation", IntervalRow.cell(cells, "operation"), operations);
        Map<Timing, Histogram> times = take(histograms, cells);
        if (!times.containsKey(Timing.RESPONSE)) {
            return Optional.of("latency.hlog has no complete histograms for %s");
        }
        for (Map.Entry<String, Timing> count : COUNTS.entrySet()) {
            Histogram histogram = times.get(count.getValue());
            long held = histogram == null ? 0 : histogram.getTotalCount();
            String said = cells.get(count.getKey());
            if (said != null && Long.parseLong(said) != held) {
                return Optional.of("latency.hlog doesn't hold all the times of %s");
            }
        }
        add(intervals, cells, IntervalRow.tally(cells, times));
        return Optional.empty();
    }

    private void checkKnown(String what, String name, List<String> known) throws IOException {
        if (!known.contains(name)) {
            throw new IOException("%s: %s %s: expected one of the plan's: %s"
                    .formatted(folder.resolve(IntervalFiles.CSV), what, name, String.join(", ", known)));
        }
    }

    private record Tagged(HistogramTag tag, Histogram histogram) {}

    /** Reads the log's histograms one after another: all at once wouldn't fit into memory. */
    private static final class Histograms implements Closeable {

        private final HistogramLogReader reader;
        private @Nullable Tagged next;

        Histograms(Path log) throws IOException {
            reader = new HistogramLogReader(log.toFile());
            next = following();
        }

        /** The next one; {@code null} after the last. */
        @Nullable Tagged peek() {
            return next;
        }

        Histogram poll() {
            Histogram histogram = Objects.requireNonNull(next).histogram();
            next = following();
            return histogram;
        }

        private @Nullable Tagged following() {
            try {
                while (reader.hasNext()) {
                    EncodableHistogram read = reader.nextIntervalHistogram();
                    if (read instanceof Histogram histogram) {
                        return new Tagged(HistogramTag.parse(histogram.getTag()), histogram);
                    }
                }
            } catch (RuntimeException cutOff) {
                // The last line is truncated.
            }
            return null;
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    /** The histograms of a row: at most one of each kind, with the row's phase and operation. */
    private static Map<Timing, Histogram> take(Histograms histograms, Map<String, String> row) {
        Map<Timing, Histogram> times = new LinkedHashMap<>();
        while (histograms.peek() != null) {
            HistogramTag tag = histograms.peek().tag();
            boolean sameLine = tag.phase().equals(row.get("phase"))
                    && tag.operation().equals(row.get("operation"))
                    && !times.containsKey(tag.timing());
            if (!sameLine) {
                break;
            }
            times.put(tag.timing(), histograms.poll());
        }
        return times;
    }

    private void addFigures(List<Interval> intervals, Map<String, String> cells) {
        HostFigures client = HostColumns.CLIENT.parse(cells).of(cells.getOrDefault(IntervalFiles.CLIENT, ""));
        Interval last = lastOrNew(intervals, cells);
        intervals.set(
                intervals.size() - 1,
                client.isGap()
                        ? last.withServer(serverColumns.parse(cells))
                        : last.withClient(last.client().and(client)));
    }

    /** The last interval, if the row belongs to it; otherwise a new, empty one at the end. */
    private Interval lastOrNew(List<Interval> intervals, Map<String, String> row) {
        String phase = IntervalRow.cell(row, "phase");
        Duration start = IntervalRow.seconds(row, "start_s");
        Duration length = IntervalRow.seconds(row, "length_s");
        Interval last = intervals.isEmpty() ? null : intervals.get(intervals.size() - 1);
        if (last != null && last.phase().equals(phase) && last.start().equals(start)) {
            return last;
        }
        List<Tally> tallies = new ArrayList<>();
        operations.forEach(operation -> tallies.add(new Tally()));
        int requests = operations.size() - journeys;
        intervals.add(new Interval(
                phase,
                start,
                length,
                tallies.subList(0, requests),
                tallies.subList(requests, operations.size()),
                HostFigures.GAP,
                Optional.empty()));
        return intervals.get(intervals.size() - 1);
    }

    private void add(List<Interval> intervals, Map<String, String> row, Tally tally) {
        Interval last = lastOrNew(intervals, row);
        int index = operations.indexOf(row.get("operation"));
        int requests = operations.size() - journeys;
        List<Tally> tallies = index < requests ? last.operations() : last.journeys();
        int place = index < requests ? index : index - requests;
        // Of runs that were merged, two may have begun an interval at the same time.
        Tally before = tallies.get(place);
        if (before.histograms().isEmpty()) {
            tallies.set(place, tally);
        } else {
            before.add(tally);
            before.pack();
        }
    }
}
