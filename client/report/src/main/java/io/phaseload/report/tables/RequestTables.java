package io.phaseload.report.tables;

import io.phaseload.measure.KeptRequest;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
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

    private static final Column TIME = new Column("time", "time (UTC)", "", Column.TEXT);
    private static final Column HEADERS = new Column("headers", "headers of the response", "", Column.TEXT);

    private static final DateTimeFormatter CLOCK =
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
        Columns<NumberedRequest> columns = new Columns<NumberedRequest>()
                .number("response_ms", "response", "ms", of -> of.times().responseMs())
                .number("slip_ms", "slip", "ms", of -> of.times().slipMs())
                .number("lease_ms", "wait for a connection", "ms", of -> of.times()
                        .leaseMs())
                .number("first_byte_ms", "first byte", "ms", of -> of.times().timeToFirstByteMs())
                .number("transfer_ms", "transfer", "ms", of -> of.times().transferMs())
                .number("connect_ms", "connect", "ms", of -> of.times().connectionSetUpMs())
                .text("phase", NumberedRequest::phase)
                .text("operation", of -> SentNames.of(result.plan(), of.operation()))
                .text("at", of -> since(result, of.request().at()))
                .add(TIME, of -> CLOCK.format(of.request().at()));
        return more(which(columns), result)
                .table(
                        "slowest",
                        NumberedRequest.all(result).stream()
                                .filter(of -> !of.failed() && phases.contains(of.phase()))
                                .sorted(Comparator.comparing(of -> -of.times().responseMs()))
                                .limit(MOST))
                .used();
    }

    /** Adds what was sent, by whom, and the response. */
    private static Columns<NumberedRequest> which(Columns<NumberedRequest> columns) {
        return columns.count("user", of -> of.request().user())
                .count("iteration", of -> of.request().iteration())
                .text("request", of -> of.request().request())
                .count("status", of -> status(of.request()));
    }

    /** Adds what explains it, and its number. */
    private static Columns<NumberedRequest> more(Columns<NumberedRequest> columns, Result result) {
        return columns.text("client", of -> of.request().client())
                .text("remark", RequestTables::remark)
                .text("trace", of -> of.trace(result))
                .add(HEADERS, NumberedRequest::headers)
                .count("number", NumberedRequest::number);
    }

    /**
     * The first requests that failed with a cause, in each phase and operation.
     *
     * @param result of a run
     * @param cause one of its causes of failure
     * @return the table {@code failed-requests}: at most 50, by time
     */
    public static Table failed(Result result, String cause) {
        Columns<NumberedRequest> columns = new Columns<NumberedRequest>()
                .text("at", of -> since(result, of.request().at()))
                .add(TIME, of -> CLOCK.format(of.request().at()))
                .text("phase", NumberedRequest::phase)
                .text("operation", of -> SentNames.of(result.plan(), of.operation()));
        which(columns)
                .number("response_ms", "after", "ms", of -> of.times().responseMs())
                .number("connect_ms", "connect", "ms", of -> of.times().connectionSetUpMs())
                .text("message", of -> of.request().message());
        return more(columns, result)
                .table(
                        "failed-requests",
                        NumberedRequest.all(result).stream()
                                .filter(of -> of.request().cause().orElse("").equals(cause))
                                .sorted(Comparator.comparing(of -> of.request().at()))
                                .limit(MOST))
                .used();
    }

    private static String remark(NumberedRequest of) {
        return of.request().stalled() ? "the client was stalled" : null;
    }

    /** Since the run's start, in minutes. */
    private static String since(Result result, Instant at) {
        Duration since = Duration.between(result.startedAt(), at);
        return TextFormat.format("%d:%02d.%03d", since.toMinutes(), since.toSecondsPart(), since.toMillisPart());
    }

    private static Integer status(KeptRequest of) {
        return of.status() == 0 ? null : of.status();
    }
}
