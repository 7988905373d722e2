package io.phaseload.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.phaseload.audit.Check.Outcome;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of real tools (k6 1.8.1, vegeta 12.13, Locust 2), and ones that are made like them. */
class ForeignFileTest {

    private static final String JTL_HEADER =
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,"
                    + "sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n";

    @TempDir
    private Path folder;

    private static Path stored(String name) {
        try {
            return Path.of(Objects.requireNonNull(ForeignFileTest.class.getResource(name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Audit audit(Path file) throws IOException {
        return ForeignFile.audit(file, OptionalDouble.empty());
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("result"), content);
    }

    private static Check check(Audit audit, String id) {
        return audit.checks().stream()
                .filter(of -> of.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static String outcomes(Audit audit) {
        return audit.checks().stream()
                .map(of -> of.outcome().name().substring(0, 1))
                .collect(Collectors.joining());
    }

    /** In the order consistency, Little's law, percentiles, omission, limit, averages, failures. */
    @ParameterizedTest
    @CsvSource({
        "k6-handle.json, k6 summary, 1390, 0, PPPPDPP",
        "k6-new.json, k6 summary, 1390, 0, PPPPDPP",
        "k6-dropped.json, k6 summary, 220, 29, PPPDDPD",
        "k6-lines.json, k6 JSON lines, 26, 5, PUDDDPD",
        "vegeta-report.json, vegeta report, 300, 27, PUDUUPD",
        "vegeta.jsonl, vegeta results, 60, 7, PUDUUPD",
        "vegeta.csv, vegeta results, 60, 7, PUDUUPD",
        "oha.json, oha, 50100, 120, PUDUUPD",
        "lo_stats.csv, Locust statistics, 555, 9, PUDUUPD",
        "lo_stats_history.csv, Locust history, 555, 9, PPUPDDD"
    })
    void isReadAndJudged(String name, String tool, double requests, double failed, String outcomes) throws IOException {
        Audit audit = audit(stored(name));
        assertThat(audit.tool()).isEqualTo(tool);
        assertThat(audit.requests()).contains(requests);
        assertThat(audit.failed()).contains(failed);
        assertThat(outcomes(audit)).isEqualTo(outcomes);
        assertThat(audit.hidden()).isNotEmpty();
    }

    @Test
    void theSameRunHasTheSameTimesInEachFormat() throws IOException {
        assertThat(audit(stored("vegeta.csv")).meanMs().orElseThrow())
                .isCloseTo(audit(stored("vegeta.jsonl")).meanMs().orElseThrow(), within(1e-9));
    }

    /** Ten users, 10 ms each; then all wait 5 s. */
    @Test
    void aFreezeOfClosedUsersIsCoordinatedOmission() throws IOException {
        StringBuilder rows = new StringBuilder(JTL_HEADER);
        for (int i = 0; i < 1_000; i++) {
            for (int user = 0; user < 10; user++) {
                long start = 1_700_000_000_000L + 10L * i + (i > 500 ? 5_000 : 0);
                rows.append(row(start, i == 500 ? 5_010 : 10, "GET /", user));
            }
        }
        Audit audit = audit(file(rows.toString()));
        assertThat(audit.p99Ms().orElseThrow()).isLessThan(11);
        assertThat(check(audit, "coordinated-omission"))
                .returns(Outcome.DOUBT, Check::outcome)
                .extracting(Check::text)
                .asString()
                .startsWith("p99 is 10.0");
        assertThat(check(audit, "littles-law").outcome()).isEqualTo(Outcome.PASSED);
        assertThat(check(audit, "users-limit").outcome()).isEqualTo(Outcome.DOUBT);
    }

    @Test
    void usersThatPauseAreNeitherAtTheirLimitNorOmitRequests() throws IOException {
        Random random = new Random(1);
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            rows.append(row(1_700_000_000_000L + 100L * i, 5 + random.nextInt(20), "GET /", i % 2));
        }
        // Without a header, as jmeter.save.saveservice.print_field_names=false has it.
        Audit audit = audit(file(rows.toString()));
        assertThat(outcomes(audit)).isEqualTo("PPPPPPP");
    }

    private static String row(long start, int elapsed, String label, int user) {
        return "%d,%d,%s,200,OK,Users 1-%d,text,true,,3,80,10,10,http://h/,%d,0,0%n"
                .formatted(start, elapsed, label, user, elapsed)
                .replace("\r", "");
    }

    @Test
    void timesOfMoreThanTheUsersHadAreWrong() throws IOException {
        String summary =
                """
                {"metrics": {"http_reqs": {"count": 10000, "rate": 1000}, "vus": {"value": 5, "min": 5, "max": 5},
                 "http_req_duration": {"avg": 10, "min": 1, "med": 9, "max": 30, "p(95)": 20}}}
                """;
        assertThat(check(audit(file(summary)), "littles-law").outcome()).isEqualTo(Outcome.WRONG);
    }

    @Test
    void figuresOutOfOrderAreWrong() throws IOException {
        String summary =
                """
                {"metrics": {"http_reqs": {"count": 10000, "rate": 1000},
                 "http_req_duration": {"avg": 10, "min": 1, "med": 25, "max": 30, "p(95)": 20}}}
                """;
        assertThat(check(audit(file(summary)), "consistency").outcome()).isEqualTo(Outcome.WRONG);
    }

    @ParameterizedTest
    @CsvSource({"14.5,26,DOUBT", "18,38,PASSED", "60,85,WRONG"})
    void aMeanOfPercentilesIsRecognised(String p50, String p95, Outcome outcome) throws IOException {
        String stats =
                """
                Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,\
                Max Response Time,Average Content Size,Requests/s,Failures/s,50%%,95%%,100%%
                GET,/a,9000,0,10,11,1,100,3,90,0,10,20,100
                GET,/b,1000,0,55,60,1,100,3,10,0,55,80,100
                ,Aggregated,10000,0,%1$s,16,1,100,3,100,0,%1$s,%2$s,100
                """
                        .formatted(p50, p95);
        assertThat(check(audit(file(stats)), "averaged-percentiles").outcome()).isEqualTo(outcome);
    }

    @Test
    void aNumberOfUsersMayBeGiven() throws IOException {
        Audit audit = ForeignFile.audit(stored("oha.json"), OptionalDouble.of(50));
        assertThat(check(audit, "users-limit").outcome()).isEqualTo(Outcome.DOUBT);
        assertThat(check(audit, "coordinated-omission"))
                .returns(Outcome.DOUBT, Check::outcome)
                .extracting(Check::text)
                .asString()
                .contains("waited 1204 ms once");
    }

    /** vegeta with too few workers: in a slow second it sends a tenth. */
    @Test
    void aRateThatWaitsForTheServiceIsFound() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int second = 0; second < 20; second++) {
            boolean slow = second == 10;
            for (int i = 0; i < (slow ? 10 : 100); i++) {
                long start = (1_700_000_000L + second) * 1_000_000_000L + i * 10_000_000L;
                rows.append(String.format(
                        Locale.ROOT,
                        "%d,200,%d,0,3,,b2sK,,%d,GET,http://h/,%n",
                        start,
                        slow ? 900_000_000 : 5_000_000,
                        i));
            }
        }
        assertThat(check(audit(file(rows.toString())), "coordinated-omission"))
                .returns(Outcome.DOUBT, Check::outcome)
                .extracting(Check::text)
                .asString()
                .startsWith("About 90 requests weren't sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"k6-handle.json", "k6-lines.json", "vegeta.jsonl", "vegeta.csv", "oha.json", "lo_stats.csv"})
    void aCutOffFileIsRejectedWithItsLine(String name) throws IOException {
        String whole = Files.readString(stored(name)).strip();
        assertThatThrownBy(() -> audit(file(whole.substring(0, whole.length() - 40))))
                .isInstanceOf(IOException.class)
                .hasMessageMatching(".*result, line \\d+: expected .*")
                .hasMessageNotContaining("\n");
    }

    @Test
    void otherFilesAreRejected() throws IOException {
        assertThatThrownBy(() -> audit(file("hello\n"))).hasMessageContaining("line 1: expected a result of k6");
        assertThatThrownBy(() -> audit(file(""))).hasMessageContaining("not an empty file");
        assertThatThrownBy(() -> audit(file("[1]"))).hasMessageContaining("line 1: expected a result of k6");
        assertThatThrownBy(() -> audit(file("{\"metrics\": {}}"))).hasMessageContaining("at least one request");
        assertThatThrownBy(() -> audit(Files.write(folder.resolve("bin"), new byte[] {-1, -127, 3, 1})))
                .hasMessageContaining("isn't UTF-8");
        assertThatThrownBy(() -> audit(file(JTL_HEADER + "1700000000000,x,GET,200,,,,true,,,,,1,,,,\n")))
                .hasMessageContaining("line 2: elapsed: expected a number, got 'x'");
    }
}
