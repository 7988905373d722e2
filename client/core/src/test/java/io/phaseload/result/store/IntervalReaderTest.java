package io.phaseload.result.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written is read back: all of it, or as much as a killed run left. */
class IntervalReaderTest {

    private static final List<String> PHASES = List.of("peak");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\r\nb", "\"\n\"", "a\n\n", "\ra", ",\"\n"})
    void aNameMayContainLineBreaks(String name) throws Exception {
        List<Operation> operations =
                List.of(Operation.get("/").named(name), Operation.get("/b").named(name + "2"));
        Interval first = interval(0, 3, 4);
        Interval second = interval(1, 5, 6);
        write(operations, first, second);

        List<Interval> read = new IntervalReader(folder, PHASES, List.of(name, name + "2"), List.of(), List.of())
                .read()
                .intervals();

        assertThat(read).hasSize(2);
        assertSame(read.get(0), first);
        assertSame(read.get(1), second);
    }

    /** With all that separates cells. */
    private static final Outcome BUSY = new Outcome.HttpFailure(503, "wait=5 s; \"%3B\", 50 % größer");

    /** Without their secrets the first three have the same name, and the last one has theirs. */
    @Test
    void namesThatDifferOnlyInASecretAreDistinguished() throws Exception {
        List<Operation> operations = List.of(
                Operation.get("/?token=a"),
                Operation.get("/?token=b"),
                Operation.get("/?token=c"),
                Operation.get("/").named("GET /?token=[redacted]#2"));
        List<String> written = List.of(
                "GET /?token=[redacted]",
                "GET /?token=[redacted]#2",
                "GET /?token=[redacted]#3",
                "GET /?token=[redacted]#2#2");
        Interval interval = interval(0, 1, 2, 3, 4);
        write(operations, interval);

        assertThat(Operation.namesInResult(operations)).isEqualTo(written);
        // As it is done with the plan that is read back.
        List<Operation> readBack =
                written.stream().map(name -> Operation.get("/").named(name)).toList();
        assertThat(Operation.namesInResult(readBack)).isEqualTo(written);
        assertSame(
                new IntervalReader(folder, PHASES, written, List.of(), List.of())
                        .read()
                        .intervals()
                        .get(0),
                interval);
    }

    /** A later version may have more columns; where others are missing, a name was damaged. */
    @Test
    void moreColumnsAreSkipped() throws Exception {
        List<Operation> operations = List.of(Operation.get("/"));
        List<String> names = List.of("GET /");
        Interval interval = interval(0, 3);
        write(operations, interval);
        Path csv = folder.resolve(IntervalFiles.CSV);
        List<String> lines = Files.readAllLines(csv);
        String more = lines.get(0) + ",tide\n" + lines.get(1) + ",high\n";
        Files.writeString(csv, more);

        IntervalReader.Read read = new IntervalReader(folder, PHASES, names, List.of(), List.of()).read();
        assertThat(read.gap()).isEmpty();
        assertSame(read.intervals().get(0), interval);

        Files.writeString(csv, more.replace(",statuses", ",state"));
        assertThat(new IntervalReader(folder, PHASES, names, List.of(), List.of())
                        .read()
                        .gap())
                .hasValue("intervals.csv has no header line");
    }

    /** Of a row without any, so that all else of it is right. */
    @ParameterizedTest
    @ValueSource(strings = {"[null]", "[{}]", "[{\"at\": \"2026-01-01T00:00:00Z\"}]", "{}", "["})
    void damagedRequestsAreNoticed(String cell) throws Exception {
        List<Operation> operations = List.of(Operation.get("/"));
        write(operations, interval(0, 3));
        Path csv = folder.resolve(IntervalFiles.CSV);
        String text = Files.readString(csv);
        int column = List.of(text.split("[,\n]")).indexOf("kept_requests");
        String[] cells = text.lines().toList().get(1).split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
        cells[column] = '"' + cell.replace("\"", "\"\"") + '"';
        Files.writeString(csv, text.lines().findFirst().orElseThrow() + "\n" + String.join(",", cells) + "\n");

        assertThat(new IntervalReader(folder, PHASES, List.of("GET /"), List.of(), List.of())
                        .read()
                        .gap())
                .isPresent();
    }

    /** HdrHistogram's own reader skips such lines. */
    @ParameterizedTest
    @ValueSource(strings = {"garbage", "=1+1", "Tag=a", "Tag=a,1.0,1.0,1.0,HISTFxxxx", "<b>", " "})
    void aBrokenLineOfTheLogIsNamed(String line) throws Exception {
        write(List.of(Operation.get("/")), interval(0, 3), interval(1, 4));
        Path hlog = folder.resolve(IntervalFiles.HLOG);
        List<String> lines = Files.readAllLines(hlog);
        IntervalReader reader = new IntervalReader(folder, PHASES, List.of("GET /"), List.of(), List.of());
        assertThat(reader.read().gap()).isEmpty();

        lines.set(4, line);
        Files.write(hlog, lines);

        assertThat(reader.read().gap()).hasValue("line 5 of latency.hlog isn't a histogram");
    }

    /** Killed somewhere in a row, with the log as far as it is by then. */
    @Test
    void truncatedRowsAreSkipped() throws Exception {
        List<Operation> operations = List.of(Operation.get("/").named("größe \"\n\""));
        List<String> names = List.of(operations.get(0).name());
        Interval first = interval(0, 3);
        Interval second = interval(1, 4);
        write(operations, first, second);
        Path csv = folder.resolve(IntervalFiles.CSV);
        Path hlog = folder.resolve(IntervalFiles.HLOG);
        byte[] rows = Files.readAllBytes(csv);
        byte[] log = Files.readAllBytes(hlog);
        for (int length = 0; length < rows.length; length += 3) {
            Files.write(csv, Arrays.copyOf(rows, length));

            List<Interval> read = new IntervalReader(folder, PHASES, names, List.of(), List.of())
                    .read()
                    .intervals();

            assertThat(read).as("%d bytes", length).hasSizeLessThan(2);
            read.forEach(interval -> assertSame(interval, first));
        }
        Files.write(csv, Arrays.copyOf(rows, rows.length - 1));
        for (int length = log.length; length > 0; length -= 61) {
            Files.write(hlog, Arrays.copyOf(log, length));
            new IntervalReader(folder, PHASES, names, List.of(), List.of()).read();
        }
    }

    private void write(List<Operation> operations, Interval... intervals) throws Exception {
        try (IntervalFiles files = new IntervalFiles(folder, new Scenario(operations), List.of())) {
            files.runStarted(Instant.EPOCH);
            for (Interval interval : intervals) {
                files.interval(interval);
            }
            assertThat(files.failure()).isEmpty();
        }
    }

    private static void assertSame(Interval read, Interval written) {
        assertThat(read.start()).isEqualTo(written.start());
        assertThat(read.operations())
                .extracting(Tally::histograms)
                .isEqualTo(written.operations().stream().map(Tally::histograms).toList());
        assertThat(read.operations())
                .extracting(Tally::causes)
                .isEqualTo(written.operations().stream().map(Tally::causes).toList());
    }

    /** As many requests of each operation, of which the first one fails. */
    private static Interval interval(int second, int... requests) {
        PhaseRecorder recorder = new PhaseRecorder(requests.length);
        for (int operation = 0; operation < requests.length; operation++) {
            for (int i = 0; i < requests[operation]; i++) {
                Outcome outcome = i == 0 ? BUSY : Outcome.SUCCESS;
                long end = (i + 1) * 1_000_000L;
                recorder.record(i, new Sample(operation, 0, Exchanges.of(0, end, outcome, 100, 0, false)));
            }
        }
        return new Interval(
                "peak",
                Duration.ofSeconds(second),
                Duration.ofSeconds(1),
                recorder.sums().totals());
    }
}
