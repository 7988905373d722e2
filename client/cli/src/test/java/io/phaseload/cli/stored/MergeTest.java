package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs are added without losing anything. */
@Tag("slow")
class MergeTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final RecordingServer server = RecordingServer.start();

    @Test
    void histogramsAndCountersAreAdded() throws Exception {
        JsonNode one = run("one", "--label", "x=1", "--label", "where=here");
        JsonNode two = run("two", "--label", "x=2", "--label", "where=here");

        Cli merge =
                Cli.run("merge", folder.resolve("one"), folder.resolve("two"), "-o", folder.resolve("both"), "--json");

        assertThat(merge.code()).isZero();
        JsonNode both = merge.json();
        for (String count : List.of("requests", "succeeded", "failed", "bytesReceived")) {
            assertThat(both.path("totals").path(count).asLong())
                    .as(count)
                    .isEqualTo(one.path("totals").path(count).asLong()
                            + two.path("totals").path(count).asLong());
        }
        Histogram sum = responses("one");
        sum.add(responses("two"));
        assertThat(responses("both")).isEqualTo(sum);
        assertThat(both.at("/totals/response/p90Ms").asDouble()).isEqualTo(sum.getValueAtPercentile(90) / 1e6);
        // One after the other: the phases' times add up, their threads don't.
        assertThat(both.at("/phases/0/wallSeconds").asDouble())
                .isCloseTo(
                        one.at("/phases/0/wallSeconds").asDouble()
                                + two.at("/phases/0/wallSeconds").asDouble(),
                        within(1e-9));
        assertThat(both.at("/phases/0/threads").asInt()).isEqualTo(4);
        assertThat(both.at("/plan/labels").properties()).hasSize(1);
        assertThat(both.at("/plan/labels/where").asString()).isEqualTo("here");
        assertThat(both.path("mergedFrom")).hasSize(2);
        assertThat(merge.err()).contains("Merged from the run that began at ");
    }

    @Test
    void aMergedFolderIsReportedAsItIs() throws Exception {
        run("one");
        run("two");
        Cli.run("merge", folder.resolve("one"), folder.resolve("two"), "-o", folder.resolve("both"));

        Cli report = Cli.run("report", folder.resolve("both"), "--json");

        JsonNode kept = Cli.json(Files.readString(folder.resolve("both/result.json")));
        assertThat(report.code()).isZero();
        assertThat(report.json()).isEqualTo(kept);
    }

    @Test
    void partsOfAPlanMakeTheWholeOfIt() throws Exception {
        run("one", "--part", "1/3");
        run("rest", "--part", "2,3/3");
        JsonNode whole = run("whole");

        JsonNode both = Cli.run(
                        "merge", folder.resolve("one"), folder.resolve("rest"), "-o", folder.resolve("both"), "--json")
                .json();

        assertThat(both.at("/totals/requests")).isEqualTo(whole.at("/totals/requests"));
        assertThat(both.at("/plan/part").isMissingNode()).isTrue();
        assertThat(Cli.json(Files.readString(folder.resolve("one/result.json"))).at("/plan/part"))
                .hasToString("\"1/3\"");
    }

    @Test
    void runsOfOtherRequestsAreRefused() throws Exception {
        run("one");
        run("two", "--get", "/other");

        Cli merge = Cli.run("merge", folder.resolve("one"), folder.resolve("two"), "-o", folder.resolve("both"));

        assertThat(merge.code()).isEqualTo(ExitCode.USAGE);
        assertThat(merge.err())
                .contains(": expected runs with the same operations; those of run 2 aren't")
                .hasLineCount(1);
        assertThat(folder.resolve("both")).doesNotExist();
    }

    @Test
    void noRunCountsTwice() throws Exception {
        run("one");
        run("two");
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        Path both = folder.resolve("both");
        Cli merge = Cli.run("merge", one, two, "-o", both);
        assertThat(merge.code()).isZero();
        String id = Cli.json(Files.readString(one.resolve("result.json")))
                .path("runId")
                .asString();

        for (Path other : List.of(one, Files.createSymbolicLink(folder.resolve("link"), one), both)) {
            Cli twice = Cli.run("merge", two, one, other, "-o", folder.resolve("twice"));

            assertThat(twice.code()).isEqualTo(ExitCode.USAGE);
            assertThat(twice.err())
                    .contains(": expected different runs; ")
                    .contains("2 and 3 are the same run, or were merged from the same run")
                    .hasLineCount(1);
            assertThat(folder.resolve("twice")).doesNotExist();
        }
        assertThat(Cli.run("merge", one, one).err()).contains(id);
        Cli compare = Cli.run("compare", one + "," + one, two);
        assertThat(compare.code()).isEqualTo(ExitCode.USAGE);
        assertThat(compare.err()).contains("; " + id + " is there twice").hasLineCount(1);
        // A merge of merges keeps the runs that it is made of.
        run("three");
        Path all = folder.resolve("all");
        assertThat(Cli.run("merge", both, folder.resolve("three"), "-o", all).code())
                .isZero();
        assertThat(Cli.json(Files.readString(all.resolve("result.json"))).path("mergedFrom"))
                .hasSize(3);
        assertThat(Cli.run("merge", all, two).code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aMergeWithinOneOfItsPartsIsRefused() throws Exception {
        run("one");
        run("two");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("one"));
        for (Path out : List.of(folder.resolve("one/both"), link.resolve("deep/both"))) {
            Cli merge = Cli.run("merge", folder.resolve("one"), folder.resolve("two"), "-o", out);

            assertThat(merge.code()).isEqualTo(ExitCode.USAGE);
            assertThat(merge.err())
                    .startsWith("--out " + out + ": expected a folder outside of those that are read")
                    .hasLineCount(1);
            assertThat(out).doesNotExist();
        }
    }

    @Test
    void oneRunIsRefused() {
        Cli merge = Cli.run("merge", folder);

        assertThat(merge.code()).isEqualTo(ExitCode.USAGE);
        assertThat(merge.err().strip()).isEqualTo("merge: expected two or more results folders");
    }

    private JsonNode run(String name, String... more) throws Exception {
        Path out = folder.resolve(name);
        Object[] line = {"--url", server.url(), "-c", 4, "-n", 50, "--phases", "peak=1", "--quiet", "-o", out};
        Object[] all = new Object[line.length + more.length];
        System.arraycopy(line, 0, all, 0, line.length);
        System.arraycopy(more, 0, all, line.length, more.length);
        assertThat(Cli.run(all).code()).isZero();
        return Cli.json(Files.readString(out.resolve("result.json")));
    }

    private Histogram responses(String name) throws Exception {
        Histogram sum = new Histogram(1, 3_600_000_000_000L, 3);
        try (HistogramLogReader log = new HistogramLogReader(
                folder.resolve(name).resolve("latency.hlog").toFile())) {
            while (log.hasNext()) {
                Histogram next = (Histogram) log.nextIntervalHistogram();
                if (next.getTag().endsWith("/response")) {
                    sum.add(next);
                }
            }
        }
        return sum;
    }
}
