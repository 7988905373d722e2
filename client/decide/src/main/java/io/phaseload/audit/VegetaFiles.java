package io.phaseload.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** vegeta's report as JSON, and its results as JSON lines or CSV. */
final class VegetaFiles {

    private static final List<String> COLUMNS = List.of(
            "timestamp",
            "code",
            "latency",
            "bytes_out",
            "bytes_in",
            "error",
            "body",
            "attack",
            "seq",
            "method",
            "url",
            "headers");

    private VegetaFiles() {}

    static ForeignRun report(JsonNode report) {
        JsonNode latencies = report.path("latencies");
        NavigableMap<Double, Double> percentiles = new TreeMap<>();
        latencies.properties().forEach(of -> {
            if (of.getKey().endsWith("th")) {
                percentiles.put(
                        Double.valueOf(of.getKey().replace("th", "")),
                        of.getValue().asDouble() / 1e6);
            }
        });
        double requests = report.path("requests").asDouble(Double.NaN);
        double failed = Math.rint(requests * (1 - report.path("success").asDouble(Double.NaN)));
        return ForeignRun.totals(
                ForeignFormat.VEGETA_REPORT,
                requests,
                failed,
                (report.path("duration").asDouble(Double.NaN)
                                + report.path("wait").asDouble(0))
                        / 1e9,
                new ForeignTimes(
                        latencies.path("mean").asDouble(Double.NaN) / 1e6,
                        latencies.path("min").asDouble(Double.NaN) / 1e6,
                        latencies.path("max").asDouble(Double.NaN) / 1e6,
                        percentiles));
    }

    static ForeignRun lines(Path file) throws IOException {
        ForeignRequests requests = new ForeignRequests();
        JsonRows.read(
                file,
                line -> requests.add(
                        line.path("method").asString("") + " "
                                + line.path("url").asString(""),
                        OffsetDateTime.parse(line.required("timestamp").asString())
                                .toInstant()
                                .toEpochMilli(),
                        line.required("latency").asDouble() / 1e6,
                        isFailure(line.required("code").asInt())));
        return run(requests);
    }

    static ForeignRun csv(Path file) throws IOException {
        ForeignRequests requests = new ForeignRequests();
        CsvTable.read(
                file,
                COLUMNS,
                row -> requests.add(
                        row.text("method") + " " + row.text("url"),
                        row.number("timestamp") / 1e6,
                        row.number("latency") / 1e6,
                        isFailure((int) row.number("code"))));
        return run(requests);
    }

    /** As vegeta counts them. */
    private static boolean isFailure(int code) {
        return code < 200 || code >= 400;
    }

    private static ForeignRun run(ForeignRequests requests) {
        return requests.run(ForeignFormat.VEGETA_LINES, Double.NaN, Double.NaN, Double.NaN, 0);
    }
}
