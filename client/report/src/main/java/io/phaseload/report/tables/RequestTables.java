package io.phaseload.report.tables;

import io.phaseload.measure.KeptRequest;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Result;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Single requests of a run: the slowest, and the first that failed. */
public final class RequestTables {

    /** Of many operations, a reader looks at the worst. */
    private static final int MOST = 50;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private RequestTables() {}

    /**
     * The slowest requests that succeeded.
     *
     * @param result of a run
     * @param phases those that are wanted
     * @return the table {@code slowest}: at most 50, the slowest first
     */
    public static Table slowest(Result result, List<String> phases) {
        Table.Builder table = new Table.Builder(
                "slowest",
                Column.of("response_ms", "response", "ms"),
                Column.of("slip_ms", "slip", "ms"),
                Column.of("lease_ms", "wait for a connection", "ms"),
                Column.of("first_byte_ms", "first byte", "ms"),
                Column.of("transfer_ms", "transfer", "ms"),
                Column.of("connect_ms", "connect", "ms"),
                Column.text("phase"),
                Column.text("operation"),
                Column.text("at"),
                new Column("time", "time (UTC)", "", Column.TEXT),
                Column.count("user"),
                Column.count("iteration"),
                Column.text("request"),
                Column.count("status"),
                Column.text("client"),
                Column.text("remark"),
                Column.text("trace"),
                new Column("headers", "headers of the response", "", Column.TEXT),
                Column.count("number"));
        NumberedRequest.all(result).stream()
                .filter(row -> !row.failed())
                .filter(row -> phases.contains(row.phase()))
                .sorted(Comparator.comparing(
                        (NumberedRequest row) -> -row.request().responseMs()))
                .limit(MOST)
                .forEach(row -> {
                    KeptRequest of = row.request();
                    table.row(
                            of.responseMs(),
                            of.slipMs(),
                            of.leaseMs().orElse(null),
                            of.timeToFirstByteMs().orElse(null),
                            of.transferMs().orElse(null),
                            of.connectionSetUpMs().orElse(null),
                            row.phase(),
                            SentNames.of(result.plan(), row.operation()),
                            since(result, of.at()),
                            TIME.format(of.at()),
                            of.user(),
                            of.iteration().orElse(null),
                            of.request(),
                            status(of),
                            of.client().orElse(null),
                            of.stalled() ? "the client was stalled" : null,
                            row.trace(result),
                            row.headers(),
                            row.number());
                });
        return used(table.build());
    }

    /**
     * The first requests that failed with a cause, in each phase and operation.
     *
     * @param result of a run
     * @param cause one of its causes of failure
     * @return the table {@code failed-requests}: at most 50, by time
     */
    public static Table failed(Result result, String cause) {
        Table.Builder table = new Table.Builder(
                "failed-requests",
                Column.text("at"),
                new Column("time", "time (UTC)", "", Column.TEXT),
                Column.text("phase"),
                Column.text("operation"),
                Column.count("user"),
                Column.count("iteration"),
                Column.text("request"),
                Column.count("status"),
                Column.of("response_ms", "after", "ms"),
                Column.of("connect_ms", "connect", "ms"),
                Column.text("message"),
                Column.text("client"),
                Column.text("remark"),
                Column.text("trace"),
                new Column("headers", "headers of the response", "", Column.TEXT),
                Column.count("number"));
        NumberedRequest.all(result).stream()
                .filter(row -> row.request().cause().orElse("").equals(cause))
                .sorted(Comparator.comparing(row -> row.request().at()))
                .limit(MOST)
                .forEach(row -> {
                    KeptRequest of = row.request();
                    table.row(
                            since(result, of.at()),
                            TIME.format(of.at()),
                            row.phase(),
                            SentNames.of(result.plan(), row.operation()),
                            of.user(),
                            of.iteration().orElse(null),
                            of.request(),
                            status(of),
                            of.responseMs(),
                            of.connectionSetUpMs().orElse(null),
                            of.message().orElse(null),
                            of.client().orElse(null),
                            of.stalled() ? "the client was stalled" : null,
                            row.trace(result),
                            row.headers(),
                            row.number());
                });
        return used(table.build());
    }

    /** Without columns in which nothing is, such as slip in a closed model. */
    private static Table used(Table table) {
        Table used = table;
        for (int i = table.columns().size() - 1; i >= 0; i--) {
            int column = i;
            if (table.rows().stream().allMatch(row -> isNothing(row.get(column)))) {
                used = used.without(table.columns().get(i).name());
            }
        }
        return used;
    }

    private static boolean isNothing(Object cell) {
        return cell == null || cell instanceof Double number && number == 0;
    }

    /** Since the run's start, in minutes. */
    private static String since(Result result, Instant at) {
        Duration since = Duration.between(result.startedAt(), at);
        return String.format(
                Locale.ROOT, "%d:%02d.%03d", since.toMinutes(), since.toSecondsPart(), since.toMillisPart());
    }

    private static Integer status(KeptRequest of) {
        return of.status() == 0 ? null : of.status();
    }
}
