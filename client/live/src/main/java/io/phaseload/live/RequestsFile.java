package io.phaseload.live;

import com.github.luben.zstd.ZstdOutputStream;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.phaseload.measure.Cause;
import io.phaseload.measure.RequestSink;
import io.phaseload.measure.SampledRequest;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.result.json.FileProblem;
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
            "connection_age_ms");

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
    public record Limit(long rows, double share) {}

    private record Row(Phase phase, Instant started, SampledRequest request) {}

    private final Plan plan;
    private final List<String> operations;
    private final Limit limit;
    private final BlockingQueue<Row> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final CsvWriter csv;
    private final Thread writer = new Thread(this::write, "phaseload-requests-file");
    private volatile boolean closing;
    private volatile @Nullable IOException failure;

    /**
     * Creates the file and writes its first line.
     *
     * @param file is replaced if it is there
     * @throws IOException if it can't be written
     */
    public RequestsFile(Plan plan, Path file, Limit limit) throws IOException {
        this.plan = plan;
        this.operations = Operation.namesInResult(plan.scenario().operations());
        this.limit = limit;
        // No thread of its own for the compression: it would compete with the load.
        csv = CsvWriter.builder().build(compressed(file), StandardCharsets.UTF_8);
        csv.writeRecord(COLUMNS);
        writer.setDaemon(true);
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
        return Optional.of((started, request) -> take(new Row(phase, started, request)));
    }

    private void take(Row row) {
        if (limit.share() < 1 && ThreadLocalRandom.current().nextDouble() >= limit.share()) {
            return;
        }
        if (taken.getAndIncrement() < limit.rows() && !waiting.offer(row)) {
            dropped.incrementAndGet();
        }
    }

    private void write() {
        List<Row> rows = new ArrayList<>(AT_ONCE);
        long flushed = System.nanoTime();
        try {
            while (!closing || !waiting.isEmpty()) {
                Row first = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    rows.add(first);
                    waiting.drainTo(rows, AT_ONCE);
                    write(rows);
                    rows.clear();
                }
                if (failure == null && System.nanoTime() - flushed > FLUSH_NANOS) {
                    // A killed run leaves the file up to here.
                    csv.flush();
                    flushed = System.nanoTime();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
    }

    private void write(List<Row> rows) {
        if (failure != null) {
            dropped.addAndGet(rows.size());
            return;
        }
        try {
            for (Row row : rows) {
                csv.writeRecord(cells(row));
            }
        } catch (UncheckedIOException e) {
            failure = e.getCause();
            dropped.addAndGet(rows.size());
        }
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
            request.ageNanos() < 0 ? "" : millis(request.ageNanos())
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
            csv.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the reason why the file isn't complete, once it is closed; empty if it has every request asked for} */
    public Optional<String> incomplete() {
        IOException why = failure;
        if (why != null) {
            return Optional.of("%,d requests are not in it: %s".formatted(dropped.get(), FileProblem.of(why)));
        }
        if (dropped.get() > 0) {
            return Optional.of("%,d requests are not in it, since writing was too slow".formatted(dropped.get()));
        }
        long beyond = taken.get() - limit.rows();
        return beyond > 0
                ? Optional.of("%,d requests are not in it, since its limit is %,d".formatted(beyond, limit.rows()))
                : Optional.empty();
    }
}
