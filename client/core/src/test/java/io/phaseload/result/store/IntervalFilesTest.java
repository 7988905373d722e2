package io.phaseload.result.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.files.Csv;
import io.phaseload.measure.Counters;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Requests;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.measure.Values;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Metric;
import io.phaseload.result.FixedResults;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of intervals, read back by HdrHistogram's own reader and by ours. */
class IntervalFilesTest {

    private static final Instant START = Instant.ofEpochMilli(1_538_247_095_282L);
    private static final List<Operation> OPERATIONS =
            List.of(Operation.get("/a"), Operation.of("POST", "/b").named("add, then 50% \"größer\"\tof/it"));

    private static final String HOSTILE = "a,b \"c\" d/e 100%2C + ö\u2028 €;=x";

    @TempDir
    private Path folder;

    @Test
    void hdrHistogramsOwnReaderReadsTheLog() throws Exception {
        write(OPERATIONS, interval(0), interval(1));

        List<Histogram> read = readLog();

        assertThat(read)
                .extracting(Histogram::getTag)
                .map(HistogramTag::parse)
                .startsWith(
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.RESPONSE),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.FAILED),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.SERVICE),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.SLIP),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.FIRST_BYTE),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.TRANSFER),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.SET_UP),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.DNS),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.TCP),
                        new HistogramTag("peak", OPERATIONS.get(0).name(), Timing.TLS),
                        new HistogramTag("peak", OPERATIONS.get(1).name(), Timing.RESPONSE));
        // The first operation has all kinds but a cold start, the second none that failed nor a
        // connection.
        assertThat(read).hasSize(2 * (10 + 5));
        Histogram response = read.get(0);
        assertThat(response.getTotalCount()).isEqualTo(101);
        assertThat(response.getStartTimeStamp()).isEqualTo(START.toEpochMilli() + 250);
        assertThat(response.getEndTimeStamp()).isEqualTo(START.toEpochMilli() + 1_250);
        assertThat(read.get(15).getStartTimeStamp()).isEqualTo(START.toEpochMilli() + 1_250);
        assertThat(response.getValueAtPercentile(50)).isCloseTo(51_000_000L, within(52_000L));
        assertThat(read.get(1).getTotalCount()).isEqualTo(1);
    }

    /** A tally is made of both files, to the last count. */
    @Test
    void aTallyRoundTripsThroughBothFiles() throws Exception {
        Interval interval = interval(0);
        write(OPERATIONS, interval);

        List<Histogram> read = readLog();
        Tally tally = IntervalRow.tally(
                IntervalRow.byColumn(Csv.cells(lines().get(0)), lines().get(1)),
                read.subList(0, 10).stream()
                        .collect(Collectors.toMap(
                                kept -> HistogramTag.parse(kept.getTag()).timing(), kept -> kept)));

        Tally written = interval.operations().get(0);
        assertThat(tally.requests()).isEqualTo(written.requests());
        assertThat(tally.succeeded()).isEqualTo(100);
        assertThat(tally.failed()).isEqualTo(1);
        assertThat(tally.responses()).isEqualTo(101);
        assertThat(tally.causes()).isEqualTo(written.causes());
        assertThat(tally.counters()).isEqualTo(written.counters());
        assertThat(tally.histograms()).isEqualTo(written.histograms());
        assertThat(tally.responseOfSuccesses()).isEqualTo(written.responseOfSuccesses());
    }

    @Test
    void aRowHasTheCellsOfItsHeaderInEveryLocale() throws Exception {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            write(List.of(OPERATIONS.get(0)), new Interval("peak", seconds(0.25), seconds(1), List.of(tally(true))));
        } finally {
            Locale.setDefault(before);
        }

        Histogram response = tally(true).histogram(Timing.RESPONSE);
        assertThat(lines())
                .containsExactly(
                        IntervalRow.HEADER + ",client" + HostColumns.CLIENT.header(),
                        "peak,GET /a,0.250000000,1.000000000,101,0,10100,0,0,200=100;503=1,0,0,0,"
                                + "http 503=1,,,,,,,101,100,1,101.000,"
                                + millis(response.getMean())
                                + ","
                                + millis(response.getValueAtPercentile(50))
                                // 101 samples are too few for a p95, which needs 110.
                                + ",,,"
                                + millis(response.getMaxValue())
                                + ",,,,1,0.299904,"
                                + HostColumns.CLIENT.blank());
        assertThat(IntervalRow.HEADER.split(",")).hasSize(34);
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.6f", Math.round(nanos) / 1e6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /",
                ",",
                "\"",
                "\"\"",
                "\",\"",
                "/",
                "//",
                "%",
                "%2C",
                "+",
                "a b",
                "tab\tbetween",
                "line\nbreak",
                "line\r\nbreak",
                "größe €",
                "emoji \uD83D\uDE00",
                "no-break\u00a0space and \u2028separator",
                HOSTILE
            })
    void aHostileNameRoundTrips(String name) throws Exception {
        HistogramTag tag = new HistogramTag("peak", name, Timing.RESPONSE);
        assertThat(HistogramTag.parse(tag.toString())).isEqualTo(tag);
        assertThat(tag.toString()).matches("[!-~&&[^,]]+");

        Interval interval = new Interval("peak", seconds(1.5), seconds(1), List.of(tally(false)));
        Tally tally = interval.operations().get(0);
        Map<String, String> row = IntervalRow.byColumn(IntervalRow.COLUMNS, IntervalRow.toCsv(interval, name, tally));
        assertThat(row).containsEntry("operation", name).containsEntry("phase", "peak");
        assertThat(IntervalRow.seconds(row, "start_s")).isEqualTo(interval.start());
        assertThat(IntervalRow.seconds(row, "length_s")).isEqualTo(interval.length());
        assertSame(IntervalRow.tally(row, tally.histograms()), tally);

        write(List.of(Operation.get("/").named(name)), interval);
        assertThat(readLog())
                .extracting(Histogram::getTag)
                .map(HistogramTag::parse)
                .extracting(HistogramTag::operation)
                .hasSize(5)
                .containsOnly(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http 503", "check body~'a;b=1, \"c\"'", "check body~'%3B%25'", "a=b"})
    void aHostileCauseRoundTrips(String cause) {
        Tally.Failures failures = new Tally.Failures(3, "");
        Tally tally = Tally.of(
                Map.of(),
                Map.of(cause, failures, "read timeout", failures),
                new Counters(1, 2, 3, 4, 6, Map.of(200, 7L), Map.of(InstanceState.WARM, 5L)),
                Map.of(Metric.parse("a=/x=;%3B,\"y\":ms"), new Values(3, 0.1 + 0.2, -1e-300, 1e300)));
        tally.addWarnings(Map.of(cause, new Tally.Failures(2, "size 7")));
        tally.addUnchecked(Map.of(cause, failures));
        tally.keep(List.of(Requests.success(7_000_001, 5), Requests.failed(new Outcome.HttpFailure(503, cause), 6)));
        Interval interval = new Interval("peak", Duration.ofDays(30).minusNanos(1), seconds(0.1), List.of(tally));

        Map<String, String> row =
                IntervalRow.byColumn(IntervalRow.COLUMNS, IntervalRow.toCsv(interval, "GET /", tally));

        assertSame(IntervalRow.tally(row, Map.of()), tally);
        assertThat(tally.causes()).containsEntry(cause, failures);
        assertThat(tally.slowest()).hasSize(1);
        assertThat(tally.firstFailed()).hasSize(1);
        assertThat(IntervalRow.seconds(row, "start_s")).isEqualTo(interval.start());
    }

    private static void assertSame(Tally back, Tally tally) {
        assertThat(back.causes()).isEqualTo(tally.causes());
        assertThat(back.warnings()).isEqualTo(tally.warnings());
        assertThat(back.unchecked()).isEqualTo(tally.unchecked());
        assertThat(back.metrics()).isEqualTo(tally.metrics());
        assertThat(back.counters()).isEqualTo(tally.counters());
        assertThat(back.slowest()).isEqualTo(tally.slowest());
        assertThat(back.firstFailed()).isEqualTo(tally.firstFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "peak", "peak/response"})
    void aTagWithTooFewPartsIsRejected(String tag) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HistogramTag.parse(tag))
                .withMessage("tag '%s': expected phase/operation/kind", tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "peak,GET /,0.1", "a,b,x,1,1,1,1,1,,1,1,1,1,1,1,1,1,1,1,1"})
    void aTruncatedRowIsRejected(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IntervalRow.tally(IntervalRow.byColumn(IntervalRow.COLUMNS, line), Map.of()));
    }

    @Test
    void anOperationThatSentNothingHasNoRow() throws Exception {
        write(OPERATIONS, new Interval("peak", seconds(0), seconds(1), List.of(new Tally(), tally(false))));

        assertThat(lines()).hasSize(2);
        assertThat(readLog()).hasSize(5);
    }

    /** Events of a stream come before its request has ended. */
    @Test
    void timesOfASecondWithoutRequestsAreKept() throws Exception {
        Tally going = new Tally();
        going.add(StreamTimings.FIRST_EVENT, 5_000_000);
        going.add(StreamTimings.EVENT_GAP, 7_000_000);
        Tally ended = tally(false);
        ended.add(StreamTimings.EVENT_GAP, 8_000_000);
        write(
                OPERATIONS,
                new Interval("peak", seconds(0), seconds(1), List.of(going, new Tally())),
                new Interval("peak", seconds(1), seconds(1), List.of(ended, new Tally())));

        List<String> names = OPERATIONS.stream().map(Operation::name).toList();
        IntervalReader.Read read = new IntervalReader(folder, List.of("peak"), names, List.of(), List.of()).read();

        assertThat(read.gap()).isEmpty();
        assertThat(read.intervals())
                .extracting(interval -> interval.operations().get(0).histograms())
                .containsExactly(going.histograms(), ended.histograms());
    }

    /** As in the result: a name made of a path shows its query. */
    @Test
    void noSecretIsWritten() throws Exception {
        Operation search = Operation.get("/search?q=shoes&session_token=" + FixedResults.SECRET);

        write(List.of(search), new Interval("peak", seconds(0), seconds(1), List.of(tally(true))));

        assertThat(Files.readString(folder.resolve(IntervalFiles.CSV)))
                .contains("session_token=")
                .doesNotContain(FixedResults.SECRET);
        assertThat(Files.readString(folder.resolve(IntervalFiles.HLOG)))
                .contains("session_token=")
                .doesNotContain(FixedResults.SECRET);
    }

    /** What a run that is interrupted still tells comes from an interrupted thread. */
    @Test
    void anInterruptedThreadStillWrites() throws Exception {
        try (IntervalFiles files = new IntervalFiles(folder, new Scenario(OPERATIONS), List.of())) {
            files.runStarted(START);
            Thread.currentThread().interrupt();
            files.interval(interval(0));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(files.failure()).isEmpty();
        }
        assertThat(lines()).hasSize(3);
        assertThat(readLog()).hasSize(15);
    }

    /** Each interval is on its way to the disk before the next one comes. */
    @Test
    void intervalsAreOnDiskBeforeTheFilesAreClosed() throws Exception {
        try (IntervalFiles files = new IntervalFiles(folder, new Scenario(OPERATIONS), List.of())) {
            files.runStarted(START);
            files.interval(interval(0));

            assertThat(lines()).hasSize(3);
            assertThat(readLog()).hasSize(15);
        }
    }

    @Test
    void filesOfAnotherRunAreNotReplaced() throws Exception {
        write(OPERATIONS, interval(0));

        assertThatThrownBy(() -> new IntervalFiles(folder, new Scenario(OPERATIONS), List.of()))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(lines()).hasSize(3);
    }

    /** A process that may write 16 blocks and no more finds that out as on a full disk. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no ulimit")
    void aFullDiskIsReportedAndTheRunGoesOn() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                "sh",
                "-c",
                "ulimit -f 16 && exec \"$@\"",
                "sh",
                java,
                "-XX:-UsePerfData",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                FullDisk.class.getName(),
                folder.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines())
                .containsExactly(
                        "failure: Optional.empty", "failure: Optional[java.io.IOException: File too large]", "went on");
        assertThat(lines().get(0)).startsWith(IntervalRow.HEADER);
    }

    /** Runs in a JVM of its own, which may not write as much as it does. */
    static final class FullDisk {

        private FullDisk() {}

        public static void main(String[] args) throws IOException {
            try (IntervalFiles files = new IntervalFiles(Path.of(args[0]), new Scenario(OPERATIONS), List.of())) {
                files.runStarted(START);
                files.interval(interval(0));
                System.out.println("failure: " + files.failure());
                for (int i = 1; i < 200; i++) {
                    files.interval(interval(i));
                }
                System.out.println("failure: " + files.failure());
            }
            System.out.println("went on");
        }
    }

    private void write(List<Operation> operations, Interval... intervals) throws IOException {
        try (IntervalFiles files = new IntervalFiles(folder, new Scenario(operations), List.of())) {
            files.runStarted(START);
            for (Interval interval : intervals) {
                files.interval(interval);
            }
            assertThat(files.failure()).isEmpty();
        }
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve(IntervalFiles.CSV));
    }

    private List<Histogram> readLog() throws IOException {
        List<Histogram> all = new ArrayList<>();
        try (HistogramLogReader reader =
                new HistogramLogReader(folder.resolve(IntervalFiles.HLOG).toFile())) {
            while (reader.hasNext()) {
                all.add((Histogram) reader.nextIntervalHistogram());
            }
        }
        return all;
    }

    /** A second from 0.25 s on, and those after it. */
    private static Interval interval(int index) {
        return new Interval("peak", seconds(0.25 + index), seconds(1), List.of(tally(true), tally(false)));
    }

    /** Of 1 to 100 ms; one that failed after 101 ms and a connection are optional. */
    private static Tally tally(boolean more) {
        PhaseRecorder recorder = new PhaseRecorder(1);
        for (int i = 1; i <= 100; i++) {
            long end = i * 1_000_000L;
            long setUp = more && i == 1 ? 300_000 : 0;
            recorder.record(i, new Sample(0, 0, Exchanges.of(0, end, Outcome.SUCCESS, 100, setUp, false)));
        }
        if (more) {
            Outcome busy = new Outcome.HttpFailure(503);
            recorder.record(0, new Sample(0, 0, Exchanges.of(0, 101_000_000, busy, 100, 0, false)));
        }
        return recorder.sums().totals().get(0);
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
