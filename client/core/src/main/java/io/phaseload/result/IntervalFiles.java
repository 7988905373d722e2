package io.phaseload.result;

import io.phaseload.engine.RunListener;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Kind;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes each interval as it comes, so that a run that is killed leaves what it had measured:
 * {@code intervals.csv} for people and notebooks, {@code latency.hlog} for HdrHistogram's own
 * tools, and both for {@link IntervalReader}.
 *
 * <p>A histogram's tag is {@code phase/operation/kind}; of the operation's name, {@code %}, commas,
 * white space and whatever isn't ASCII are percent-encoded, since the format can't hold them.
 * Values are nanoseconds; the log's maxima are milliseconds.
 */
public final class IntervalFiles implements RunListener, Closeable {

    static final String CSV = "intervals.csv";
    static final String HLOG = "latency.hlog";

    private static final double NANOS_PER_MILLI = 1e6;

    private final List<String> operations;
    private final PrintStream csv;
    private final PrintStream hlog;
    private final HistogramLogWriter log;

    /**
     * Opens the files.
     *
     * @param folder holds neither of them yet
     * @param operations of the plan's scenario
     * @throws IOException if they can't be made
     */
    public IntervalFiles(Path folder, List<Operation> operations) throws IOException {
        this.operations = Secrets.redactNames(operations);
        this.csv = open(folder.resolve(CSV));
        this.hlog = open(folder.resolve(HLOG));
        this.log = new HistogramLogWriter(hlog);
        csv.print(IntervalRow.HEADER + "\n");
        log.outputLogFormatVersion();
    }

    @Override
    public void runStarted(Instant at) {
        log.outputStartTime(at.toEpochMilli());
        log.outputLegend();
    }

    /** The log first: a row in the CSV file says that its histograms are whole. */
    @Override
    public void interval(Interval interval) {
        if (!complete()) {
            // What came after a gap couldn't be told from what is cut off.
            return;
        }
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < operations.size(); i++) {
            Tally tally = interval.operations().get(i);
            String operation = operations.get(i);
            if (tally.requests() > 0) {
                tally.histograms()
                        .forEach((kind, nanos) -> writeLog(interval, operation, kind, nanos));
                rows.append(IntervalRow.of(interval, operation, tally).toCsv()).append('\n');
            }
        }
        if (!hlog.checkError()) {
            csv.print(rows);
            csv.flush();
        }
    }

    /**
     * Whether all that came was written. A run goes on without its files; after the first interval
     * that couldn't be written none is.
     *
     * @return {@code false} after a disk was full, for one
     */
    public boolean complete() {
        return !csv.checkError() && !hlog.checkError();
    }

    private void writeLog(Interval interval, String operation, Kind kind, Histogram nanos) {
        Histogram tagged = nanos.copy();
        tagged.setTag(new HistogramTag(interval.phase(), operation, kind).toString());
        double start = interval.start().toNanos() / 1e9;
        double end = interval.start().plus(interval.length()).toNanos() / 1e9;
        log.outputIntervalHistogram(start, end, tagged, NANOS_PER_MILLI);
    }

    @Override
    public void close() {
        csv.close();
        log.close();
    }

    private static PrintStream open(Path file) throws IOException {
        Files.createFile(file);
        // Not a channel: it would refuse to write in a thread that is interrupted.
        return new PrintStream(new FileOutputStream(file.toFile()), false, StandardCharsets.UTF_8);
    }
}
