package io.phaseload.live;

import com.github.luben.zstd.ZstdOutputStream;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.phaseload.files.FileProblem;
import io.phaseload.measure.Cause;
import io.phaseload.measure.TraceContext;
import io.phaseload.measure.recording.RequestSink;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.run.RunListener;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes each request as a row of CSV, in a thread of its own. If the disk is slower than the run, rows are left out
 * and counted; the run isn't slowed down.
 *
 * <p>A file whose name ends with {@code .gz} or {@code .zst} is compressed.
 */
public final class RequestsFile implements RunListener, AutoCloseable {

    /** The columns. All but {@code due}, which is milliseconds since 1970, count from there, in milliseconds. */
    public static final List<String> COLUMNS = List.of(
            "due",
            "phase",
            "operation",
            "user",
            "sent_ms",
            "first_byte_ms",
            "end_ms",
            "status",
            "cause",
            "bytes",
            "connection_age_ms",
            "trace");

    /** About 20 MiB of rows that wait. */
    private static final int WAITING = 1 << 16;

    private static final int AT_ONCE = 4_096;
    private static final long POLL_MILLIS = 100;
    private static final long FLUSH_NANOS = 1_000_000_000L;

    /**
     * The requests to write.
     *
     * @param rows the highest number of rows
     * @param share the probability with which a request is written, from 0 to 1
     */
    public record RowLimit(long rows, double share) {}

    private record Row(Phase phase, Instant started, SampledRequest request, @Nullable TraceContext trace) {}

    private final Plan plan;
    private final List<String> operations;
    private final RowLimit limit;
    private final BlockingQueue<Row> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong taken = new AtomicLong();
    private final Path file;
    private final Thread writer = new Thread(this::write, "phaseload-requests-file");
    private volatile boolean closing;
    // Of the writer, for those who have waited for its end.
    private @Nullable IOException failure;
    private long written;

    /**
     * A file that is created when the run begins.
     *
     * @param file is replaced if it is there
     */
    public RequestsFile(Plan plan, Path file, RowLimit limit) {
        this.plan = plan;
        this.file = file;
        this.operations = Operation.namesInResult(plan.scenario().operations());
        this.limit = limit;
        writer.setDaemon(true);
    }

    @Override
    public void runStarted(Instant at) {
        writer.start();
    }

    private static OutputStream compressed(Path file) throws IOException {
        OutputStream out = Files.newOutputStream(file);
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(".gz")) {
            return new GZIPOutputStream(out, 1 << 16, true);
        }
        return name.endsWith(".zst") ? new ZstdOutputStream(out) : new BufferedOutputStream(out, 1 << 16);
    }

    @Override
    public Optional<RequestSink> requests(Phase phase) {
        return Optional.of((started, request, trace) -> take(new Row(phase, started, request, trace)));
    }

    private void take(Row row) {
        if (limit.share() < 1 && ThreadLocalRandom.current().nextDouble() >= limit.share()) {
            return;
        }
        if (taken.getAndIncrement() < limit.rows()) {
            // Rows for which there is no room are missing in the file, and counted there.
            waiting.offer(row);
        }
    }

    private void write() {
        // No thread of its own for the compression: it would compete with the load.
        try (CsvWriter csv = CsvWriter.builder().build(compressed(file), StandardCharsets.UTF_8)) {
            csv.writeRecord(COLUMNS);
            write(csv);
        } catch (IOException e) {
            failure = e;
        } catch (UncheckedIOException e) {
            failure = e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(CsvWriter csv) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>(AT_ONCE);
        long count = 0;
        long flushed = System.nanoTime();
        while (!closing || !waiting.isEmpty()) {
            Row first = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (first != null) {
                rows.add(first);
                waiting.drainTo(rows, AT_ONCE);
                rows.forEach(row -> csv.writeRecord(cells(row)));
                count += rows.size();
                rows.clear();
            }
            if (System.nanoTime() - flushed > FLUSH_NANOS) {
                // A killed run leaves the file up to here.
                csv.flush();
                written = count;
                flushed = System.nanoTime();
            }
        }
        csv.flush();
        written = count;
    }

    private String[] cells(Row row) {
        SampledRequest request = row.request();
        long due = request.dueNanos();
        long sent = request.sentNanos() - due;
        long begin = TimeUnit.SECONDS.toNanos(row.started().getEpochSecond())
                + row.started().getNano();
        return new String[] {
            millis(begin + due),
            row.phase().name(),
            operations.get(request.operation()),
            Long.toString(plan.part().user(request.user())),
            millis(sent),
            request.firstByteNanos() < 0 ? "" : millis(sent + request.firstByteNanos()),
            millis(request.endNanos() - due),
            request.status() == 0 ? "" : Integer.toString(request.status()),
            request.cause().map(Cause::key).orElse(""),
            Long.toString(request.bytes()),
            request.connection().ageNanos() < 0
                    ? ""
                    : millis(request.connection().ageNanos()),
            row.trace() == null ? "" : row.trace().traceId()
        };
    }

    /** With three decimals. */
    private static String millis(long nanos) {
        long micros = Math.max(0, nanos / 1_000);
        long rest = micros % 1_000;
        return micros / 1_000 + (rest < 10 ? ".00" : rest < 100 ? ".0" : ".") + rest;
    }

    /** Writes the rest. */
    @Override
    public void close() {
        closing = true;
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the reason why the file isn't complete, once it is closed; empty if it has every request asked for} */
    public Optional<String> incomplete() {
        long missing = Math.min(taken.get(), limit.rows()) - written;
        if (failure != null) {
            return Optional.of("%,d requests are not in it: %s".formatted(missing, FileProblem.of(failure)));
        }
        if (missing > 0) {
            return Optional.of("%,d requests are not in it, since writing was too slow".formatted(missing));
        }
        long beyond = taken.get() - limit.rows();
        return beyond > 0
                ? Optional.of("%,d requests are not in it, since its limit is %,d".formatted(beyond, limit.rows()))
                : Optional.empty();
    }
}
