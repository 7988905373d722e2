package io.phaseload.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A JTL of JMeter, as CSV, with or without a header. */
final class JmeterFile {

    /** The columns of {@code jmeter.save.saveservice} by default, which a file without a header has. */
    private static final List<String> COLUMNS = List.of(
            "timeStamp",
            "elapsed",
            "label",
            "responseCode",
            "responseMessage",
            "threadName",
            "dataType",
            "success",
            "failureMessage",
            "bytes",
            "sentBytes",
            "grpThreads",
            "allThreads",
            "URL",
            "Latency",
            "IdleTime",
            "Connect");

    private JmeterFile() {}

    static ForeignRun read(Path file, String first) throws IOException {
        ForeignRequests requests = new ForeignRequests();
        double[] users = {0, 0};
        boolean[] known = {true};
        CsvTable.read(file, first.contains("timeStamp") ? List.of() : COLUMNS, row -> {
            requests.add(
                    row.text("label"),
                    row.number("timeStamp"),
                    row.number("elapsed"),
                    !row.text("success").equalsIgnoreCase("true"));
            known[0] &= row.has("allThreads");
            if (known[0]) {
                users[0] += row.number("allThreads");
                users[1] = Math.max(users[1], row.number("allThreads"));
            }
        });
        return requests.run(
                ForeignFormat.JMETER,
                known[0] ? users[0] / requests.count() : Double.NaN,
                known[0] ? users[1] : Double.NaN,
                Double.NaN,
                0);
    }
}
