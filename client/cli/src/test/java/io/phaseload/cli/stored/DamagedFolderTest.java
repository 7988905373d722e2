package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Whatever happened to the files of a run: no report is clean over other counts than the run's. */
@Tag("slow")
class DamagedFolderTest {

    private static final List<String> FILES = List.of("result.json", "intervals.csv", "latency.hlog");

    private static final List<String> COUNTS =
            List.of("requests", "succeeded", "failed", "statuses", "failures", "response/samples");

    @TempDir
    private static Path shared;

    private static Path run;
    private static Path other;
    private static JsonNode whole;
    private static int wholeCode;

    @TempDir
    private Path folder;

    private Path damaged;

    @BeforeAll
    static void runTwice() throws Exception {
        run = shared.resolve("run");
        other = shared.resolve("other");
        try (RecordingServer server =
                RecordingServer.start(request -> request.target().endsWith("gone") ? 404 : 200)) {
            for (Path out : List.of(run, other)) {
                Object[] line = {
                    "--url",
                    server.url(),
                    "-c",
                    4,
                    "-n",
                    60,
                    "--phases",
                    "warmup=0.5,peak=1",
                    "--get",
                    "/a,b",
                    "--get",
                    "/gone",
                    "--quiet",
                    "-o",
                    out
                };
                assertThat(Cli.run(line).code()).isZero();
            }
        }
        Cli report = Cli.run("report", run, "--json");
        whole = report.json();
        // Whether this machine was too busy to measure isn't what this is about.
        wholeCode = report.code();
        assertThat(report.out()).doesNotContain("INCOMPLETE");
    }

    @BeforeEach
    void copy() throws Exception {
        damaged = folder.resolve("damaged");
        Files.createDirectory(damaged);
        restore();
    }

    private void restore() throws IOException {
        for (String file : FILES) {
            Files.write(damaged.resolve(file), Files.readAllBytes(run.resolve(file)));
        }
    }

    private void replace(String file, String before, String after) throws IOException {
        Path path = damaged.resolve(file);
        String text = Files.readString(path);
        assertThat(text).contains(before);
        Files.writeString(path, text.replace(before, after));
    }

    /** What a report may be: refused in a line, said to be incomplete, or the whole run's. */
    private void assertNotFooled(String what) {
        Cli report = Cli.run("report", damaged, "--json");
        if (report.code() == ExitCode.USAGE) {
            assertThat(report.err()).as(what).startsWith("report ").hasLineCount(1);
            assertThat(report.out()).as(what).isEmpty();
            return;
        }
        assertThat(report.err()).as(what).isEmpty();
        if (!report.json().at("/verdict/reasons").toString().contains("\"INCOMPLETE: ")) {
            for (String count : COUNTS) {
                assertThat(report.json().at("/totals/" + count)).as(what).isEqualTo(whole.at("/totals/" + count));
            }
            assertThat(report.code()).as(what).isEqualTo(wholeCode);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"result.json", "intervals.csv", "latency.hlog"})
    void aFileThatIsCutOffAnywhereIsNoticed(String file) throws Exception {
        byte[] bytes = Files.readAllBytes(run.resolve(file));
        int step = Math.max(1, bytes.length / 60);
        List<Integer> lengths = new ArrayList<>(List.of(0, 1, 2, bytes.length - 2));
        for (int length = bytes.length % step; length < bytes.length; length += step) {
            lengths.add(length);
        }
        for (int length : lengths) {
            Files.write(damaged.resolve(file), Arrays.copyOf(bytes, length));
            assertNotFooled(file + " of " + length + " bytes");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"result.json", "intervals.csv", "latency.hlog"})
    void randomBytesAreNoticed(String file) throws Exception {
        Random random = new Random(1);
        byte[] bytes = Files.readAllBytes(run.resolve(file));
        for (int i = 0; i < 60; i++) {
            byte[] wrong = bytes.clone();
            int at = random.nextInt(wrong.length);
            // All of it, some of it, a byte of it.
            int length = i == 0 ? wrong.length : i % 2 == 0 ? 1 : 50;
            for (int k = i == 0 ? 0 : at; k < Math.min(wrong.length, at + length); k++) {
                wrong[k] = (byte) random.nextInt(256);
            }
            Files.write(damaged.resolve(file), wrong);
            assertNotFooled(file + ", change " + i + " at " + at);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"intervals.csv", "latency.hlog"})
    void linesThatAreGoneAreNoticed(String file) throws Exception {
        List<String> lines = Files.readAllLines(run.resolve(file));
        for (int i = 0; i < lines.size(); i++) {
            List<String> less = new ArrayList<>(lines);
            less.remove(i);
            Files.writeString(damaged.resolve(file), String.join("\n", less) + "\n");
            assertNotFooled(file + " without line " + (i + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"result.json", "intervals.csv", "latency.hlog"})
    void aFileThatIsGoneIsAnError(String file) throws Exception {
        Files.delete(damaged.resolve(file));
        for (Object[] line : readers()) {
            Cli done = Cli.run(line);
            assertThat(done.code()).isEqualTo(ExitCode.USAGE);
            assertThat(done.err()).contains(file + " is missing").hasLineCount(1);
        }
        assertThat(folder.resolve("merged")).doesNotExist();
    }

    private Object[][] readers() {
        return new Object[][] {
            {"report", damaged},
            {"compare", other, damaged},
            {"merge", other, damaged, "-o", folder.resolve("merged")}
        };
    }

    /** 1,805 of 3,600 requests were reported as VALID. */
    @Test
    void halfALogIsReportedAsIncomplete() throws Exception {
        List<String> log = Files.readAllLines(run.resolve("latency.hlog"));
        Files.write(damaged.resolve("latency.hlog"), log.subList(0, log.size() / 2));
        String missing = "INCOMPLETE: intervals.csv and latency.hlog hold \\d+ of the 720 requests in"
                + " result.json: latency.hlog .* row \\d+ of intervals.csv\\.";

        Cli report = Cli.run("report", damaged);
        assertThat(report.code()).isEqualTo(ExitCode.INVALID);
        assertThat(report.out()).contains("INVALID").containsPattern(missing);
        assertThat(Cli.run("report", damaged, "--only", "warmup").out()).containsPattern(missing);

        Cli compare = Cli.run("compare", other, damaged);
        assertThat(compare.code()).isEqualTo(ExitCode.INVALID);
        assertThat(compare.out()).isEmpty();
        assertThat(compare.err()).containsPattern(missing);

        Cli merge = Cli.run("merge", other, damaged, "-o", folder.resolve("merged"));
        assertThat(merge.code()).isEqualTo(ExitCode.INVALID);
        assertThat(merge.out()).containsPattern("run 2: " + missing);
        Cli merged = Cli.run("report", folder.resolve("merged"));
        assertThat(merged.code()).isEqualTo(ExitCode.INVALID);
        assertThat(merged.out()).containsPattern("run 2: " + missing);
    }

    @Test
    void aChangedCountIsReported() throws Exception {
        replace("intervals.csv", "http 404=", "http 404=1");

        Cli report = Cli.run("report", damaged);

        assertThat(report.code()).isEqualTo(ExitCode.INVALID);
        assertThat(report.out())
                .contains("INCOMPLETE: intervals.csv and latency.hlog differ from result.json: ")
                .contains("GET /gone: failures/http 404 is ");
    }

    @Test
    void oneKindsHistogramsInPlaceOfAnothersAreReported() throws Exception {
        Path file = damaged.resolve("latency.hlog");
        Map<String, String> services = new HashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (String line : lines) {
            String tag = line.substring(0, Math.max(0, line.indexOf(',')));
            if (tag.endsWith("/service")) {
                String time = line.substring(tag.length(), line.indexOf(',', tag.length() + 1));
                services.put(tag.replace("/service", "/transfer") + time, line);
            }
        }
        List<String> copied = new ArrayList<>();
        for (String line : lines) {
            String tag = line.substring(0, Math.max(0, line.indexOf(',')));
            int end = line.indexOf(',', tag.length() + 1);
            String service = end < 0 ? null : services.get(line.substring(0, end));
            copied.add(service == null ? line : tag + service.substring(service.indexOf(',')));
        }
        assertThat(copied).isNotEqualTo(lines);
        Files.write(file, copied);

        Cli report = Cli.run("report", damaged);

        assertThat(report.code()).isEqualTo(ExitCode.INVALID);
        assertThat(report.out())
                .contains("INCOMPLETE: intervals.csv and latency.hlog differ from result.json: ")
                .contains("the mean of transfer is ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"environment\" :   | \"environment_\" :",
                "\"jvmFlags\" :      | \"jvmFlags_\" :",
                "\"stalls\" : {      | \"stalls\" : 7, \"x\" : {",
                "\"startedAt\" : \"2 | \"startedAt\" : \"x"
            })
    void aResultThatCannotBeReadIsAnError(String text, String damage) throws Exception {
        replace("result.json", text, damage);

        for (Object[] line : readers()) {
            Cli done = Cli.run(line);
            assertThat(done.code()).isEqualTo(ExitCode.USAGE);
            assertThat(done.err()).contains("result.json: ").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"',statuses,', ',statusex,'", "',resent,', ',,'", "'200=', '20='"})
    void columnsThatCannotBeReadAreNoticed(String text, String damage) throws Exception {
        replace("intervals.csv", text, damage);

        assertThat(Cli.run("report", damaged).out()).contains("INCOMPLETE: ");
        assertNotFooled(damage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"intervals.csv", "result.json"})
    void aPhaseThatWasRenamedIsAnError(String file) throws Exception {
        replace(file, "peak", "pike");

        Cli report = Cli.run("report", damaged);

        assertThat(report.code()).isEqualTo(ExitCode.USAGE);
        assertThat(report.err())
                .contains("intervals.csv: phase p")
                .contains(": expected one of the plan's: warmup, p")
                .hasLineCount(1);
    }

    @Test
    void aResultOfOtherPhasesThanItsPlanIsAnError() throws Exception {
        Path file = damaged.resolve("result.json");
        String text = Files.readString(file);
        int phases = text.indexOf("\"phases\"", text.indexOf("\"environment\""));
        Files.writeString(
                file,
                text.substring(0, phases) + text.substring(phases).replace("\"name\" : \"peak\"", "\"name\" : \"p\""));

        Cli report = Cli.run("report", damaged);

        assertThat(report.code()).isEqualTo(ExitCode.USAGE);
        assertThat(report.err()).contains("phases warmup,p: expected the plan's phases");
    }

    @Test
    void aPartWithoutAnythingInItIsAnError() {
        Cli beyond = Cli.run("report", run, "--from", "1h");
        assertThat(beyond.code()).isEqualTo(ExitCode.USAGE);
        assertThat(beyond.err())
                .startsWith("--from 3600.000s: expected a time before the end of what was measured")
                .hasLineCount(1);
        Cli nothing = Cli.run("report", run, "--to", "1ms");
        assertThat(nothing.code()).isEqualTo(ExitCode.USAGE);
        assertThat(nothing.err()).contains(": nothing was measured in the part that --only, --from and --to select");
    }

    /** A run that was killed has the first result.json: what it had measured is still reported. */
    @Test
    void aRunThatWasKilledIsMarked() throws Exception {
        String text = Files.readString(damaged.resolve("result.json"));
        int phases = text.indexOf("\"phases\"", text.indexOf("\"environment\""));
        int totals = text.indexOf("\"totals\"", phases);
        Files.writeString(
                damaged.resolve("result.json"),
                text.substring(0, phases) + "\"phases\" : [ ],\n  " + text.substring(totals));

        Cli report = Cli.run("report", damaged, "--json");

        assertThat(report.json().path("interrupted").asBoolean()).isTrue();
        assertThat(report.json().path("runId")).isEqualTo(whole.path("runId"));
        assertThat(report.json().at("/totals/requests")).isEqualTo(whole.at("/totals/requests"));
        assertThat(report.json().at("/verdict/status").asString()).isNotEqualTo("VALID");
        assertThat(report.json().at("/verdict/reasons").toString())
                .contains("INCOMPLETE: the run ended before its result was written");

        Files.write(damaged.resolve("intervals.csv"), new byte[0]);
        Cli empty = Cli.run("report", damaged);
        assertThat(empty.code()).isEqualTo(ExitCode.INVALID);
        assertThat(empty.out()).contains("INCOMPLETE: ");
    }

    @Test
    void aNewerResultIsRefused() throws Exception {
        replace("result.json", "\"schemaVersion\" : ", "\"schemaVersion\" : 9");

        for (Object[] line : readers()) {
            Cli done = Cli.run(line);
            assertThat(done.code()).isEqualTo(ExitCode.USAGE);
            assertThat(done.err()).contains("result.json: schemaVersion 9").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--html", "--data", "--junit"})
    void noFileOfAFolderThatIsReadIsOverwritten(String option) throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), damaged);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(run)) {
            for (Path file : files) {
                Files.write(damaged.resolve(file.getFileName()), Files.readAllBytes(file));
            }
        }
        for (String name : List.of("result.json", "report.txt", "latency.hlog", "report.html")) {
            byte[] before = Files.readAllBytes(damaged.resolve(name));
            Path byLink = link.resolve("../damaged").resolve(name);
            for (Object[] line : new Object[][] {
                {"report", damaged, option, damaged.resolve(name)},
                {"report", link, option, byLink},
                {"compare", run, damaged, "--fail-on-regression", "5%", option, byLink},
                {"compare", run + "," + link, run, "--fail-on-regression=5%", option, byLink}
            }) {
                Cli done = Cli.run(line);
                assertThat(done.code()).isEqualTo(ExitCode.USAGE);
                assertThat(done.err())
                        .startsWith(option + " ")
                        .contains(": expected another file: this one is part of a folder that is" + " read")
                        .hasLineCount(1);
                assertThat(Files.readAllBytes(damaged.resolve(name))).isEqualTo(before);
            }
        }
        // Beside them there is room.
        assertThat(Cli.run("report", damaged, option, damaged.resolve("more")).code())
                .isEqualTo(wholeCode);
        assertThat(damaged.resolve("more")).isNotEmptyFile();
    }
}
