package io.phaseload.result.store;

import io.phaseload.files.Csv;
import io.phaseload.files.PrivateFiles;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes each interval as it ends, so that a killed run leaves what it had measured: {@code intervals.csv} for people
 * and notebooks, {@code latency.hlog} for HdrHistogram's own tools, and both for {@link IntervalReader}.
 *
 * <p>A histogram's tag is {@code phase/operation/kind}; of the operation's name, {@code %}, commas, white space and
 * non-ASCII characters are percent-encoded, since the format can't hold them. Values are nanoseconds; the log's maxima
 * are milliseconds.
 */
public final class IntervalFiles implements RunListener, Closeable {

    static final String CSV = "intervals.csv";
    static final String HLOG = "latency.hlog";

    /** The column with an agent's name before its figures. */
    static final String CLIENT = "client";

    private static final String NO_CLIENT = "," + HostColumns.CLIENT.blank();

    private static final double NANOS_PER_MILLI = 1e6;

    private final List<String> operations;
    private final List<String> journeys;
    private final HostColumns serverColumns;
    private final CheckedStream csvFile;
    private final CheckedStream hlogFile;
    private final PrintStream csv;
    private final PrintStream hlog;
    private final HistogramLogWriter log;
    private final HistogramLog histograms;

    /**
     * Opens the files.
     *
     * @param folder holds neither of them yet
     * @param scenario the plan's
     * @param serverFigures names of what the target is asked for
     * @throws IOException if they can't be made or written to
     */
    public IntervalFiles(Path folder, Scenario scenario, List<String> serverFigures) throws IOException {
        this.operations = Operation.namesInResult(scenario.operations());
        this.journeys = journeys(scenario);
        this.serverColumns = HostColumns.server(serverFigures);
        this.csvFile = CheckedStream.create(folder.resolve(CSV));
        this.hlogFile = CheckedStream.create(folder.resolve(HLOG));
        this.csv = new PrintStream(csvFile, false, StandardCharsets.UTF_8);
        this.hlog = new PrintStream(hlogFile, false, StandardCharsets.UTF_8);
        this.log = new HistogramLogWriter(hlog);
        this.histograms = new HistogramLog(hlog);
        csv.print(IntervalRow.HEADER + "," + CLIENT + HostColumns.CLIENT.header() + serverColumns.header() + "\n");
        log.outputLogFormatVersion();
        Optional<IOException> failure = failure();
        if (failure.isPresent()) {
            close();
            throw failure.get();
        }
    }

    /** The name in the column of operations for spans that are no requests. */
    static List<String> journeys(Scenario scenario) {
        return scenario.timed().stream().map(name -> "journey " + name).toList();
    }

    @Override
    public void runStarted(Instant at) {
        log.outputStartTime(at.toEpochMilli());
        log.outputLegend();
    }

    /** The log first: a row in the CSV file means that its histograms are complete. */
    @Override
    public void interval(Interval interval) {
        if (failure().isPresent()) {
            // Rows after a gap would look like truncated ones.
            return;
        }
        StringBuilder rows = new StringBuilder();
        write(interval, operations, interval.operations(), rows);
        write(interval, journeys, interval.journeys(), rows);
        // In lines of their own: one that is blank says that the target was asked in vain.
        interval.client().byMachine().forEach((client, figures) -> rows.append(withoutRequests(interval))
                .append(',')
                .append(Csv.quoted(client))
                .append(HostColumns.CLIENT.cells(figures))
                .append(serverColumns.blank())
                .append('\n'));
        interval.server().map(serverColumns::cells).ifPresent(cells -> rows.append(withoutRequests(interval))
                .append(NO_CLIENT)
                .append(cells)
                .append('\n'));
        if (failure().isEmpty()) {
            csv.print(rows);
            csv.flush();
        }
    }

    private static String withoutRequests(Interval interval) {
        return IntervalRow.place(interval, "") + IntervalRow.WITHOUT_REQUESTS;
    }

    private void write(Interval interval, List<String> names, List<Tally> tallies, StringBuilder rows) {
        for (int i = 0; i < names.size(); i++) {
            Tally tally = tallies.get(i);
            String name = names.get(i);
            Map<Timing, Histogram> times = tally.histograms();
            if (!times.isEmpty()) {
                if (tally.requests() == 0) {
                    // Events of streams that go on; a row's histograms begin with this one.
                    writeLog(interval, name, Timing.RESPONSE, tally.histogram(Timing.RESPONSE));
                }
                times.forEach((timing, nanos) -> writeLog(interval, name, timing, nanos));
                rows.append(IntervalRow.toCsv(interval, name, tally))
                        .append(NO_CLIENT)
                        .append(serverColumns.blank())
                        .append('\n');
            }
        }
    }

    /**
     * The first failure to write, if there was one. The run goes on without these files: later intervals aren't
     * written.
     *
     * @return such as a full disk; empty if everything was written
     */
    public Optional<IOException> failure() {
        csv.flush();
        hlog.flush();
        return Optional.ofNullable(hlogFile.failure == null ? csvFile.failure : hlogFile.failure);
    }

    private void writeLog(Interval interval, String operation, Timing timing, Histogram nanos) {
        double start = interval.start().toNanos() / 1e9;
        double end = interval.start().plus(interval.length()).toNanos() / 1e9;
        histograms.write(
                new HistogramTag(interval.phase(), operation, timing).toString(), start, end, nanos, NANOS_PER_MILLI);
    }

    @Override
    public void close() {
        csv.close();
        log.close();
        histograms.close();
    }

    /** A file that remembers its first failure, which a {@link PrintStream} swallows. */
    private static final class CheckedStream extends FilterOutputStream {

        private @Nullable IOException failure;

        private CheckedStream(OutputStream file) {
            super(file);
        }

        static CheckedStream create(Path file) throws IOException {
            PrivateFiles.create(file);
            // Not a channel: an interrupted thread couldn't write to it.
            return new CheckedStream(new FileOutputStream(file.toFile()));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                failure = failure == null ? e : failure;
                throw e;
            }
        }
    }
}
