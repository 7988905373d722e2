package io.phaseload.result.store;

import io.phaseload.files.Csv;
import io.phaseload.measure.Counters;
import io.phaseload.measure.Interval;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Tally;
import io.phaseload.measure.Values;
import io.phaseload.plan.check.Metric;
import io.phaseload.result.Latency;
import io.phaseload.result.LatencyValue;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A row of {@code intervals.csv} as cells: one operation in one interval of one phase. */
final class IntervalRow {

    static final String HEADER = "phase,operation,start_s,length_s,responses,censored,bytes_received,reconnects,resent,"
            + "statuses,cold_starts,restored_starts,warm_starts,failures,failure_details,warnings,warning_details,unchecked,metrics,kept_requests,"
            + "requests,succeeded,failed,requests_per_second,mean_ms,p50_ms,p95_ms,p99_ms,"
            + "max_ms,service_p99_ms,slip_p99_ms,first_byte_p99_ms,connections,"
            + "connect_mean_ms";

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Longer than any run. */
    private static final double LONGEST_SECONDS = 1e9;

    static final List<String> COLUMNS = List.of(HEADER.split(","));

    /** The values of a row without an operation in the remaining columns. */
    static final String WITHOUT_REQUESTS = ",".repeat(COLUMNS.size() - 4);

    private IntervalRow() {}

    static String toCsv(Interval interval, String operation, Tally tally) {
        Counters counters = tally.counters();
        Map<String, Tally.Failures> causes = tally.causes();
        List<KeptRequest> kept = Stream.concat(tally.slowest().stream(), tally.firstFailed().stream())
                .toList();
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%d,%d,%d,%s,%d,%d,%d,%s,%s,%s,%s,%s,%s,%s,%s",
                place(interval, operation),
                counters.responses(),
                counters.censored(),
                counters.bytesReceived(),
                counters.reconnects(),
                counters.resent(),
                statusesCell(counters.statuses()),
                counters.instances().getOrDefault(InstanceState.COLD, 0L),
                counters.instances().getOrDefault(InstanceState.RESTORED, 0L),
                counters.instances().getOrDefault(InstanceState.WARM, 0L),
                Csv.quoted(countsCell(causes)),
                Csv.quoted(detailsCell(causes)),
                Csv.quoted(countsCell(tally.warnings())),
                Csv.quoted(detailsCell(tally.warnings())),
                Csv.quoted(countsCell(tally.unchecked())),
                Csv.quoted(metricsCell(tally.metrics())),
                kept.isEmpty() ? "" : Csv.quoted(JSON.writeValueAsString(kept)),
                figures(tally, interval.length().toNanos() / 1e9));
    }

    private static String figures(Tally tally, double seconds) {
        // Not all figures: a second of a run has hundreds of rows.
        Latency response = Latency.brief(tally, Timing.RESPONSE);
        return String.format(
                Locale.ROOT,
                "%d,%d,%d,%.3f,%s,%s,%s,%s,%s,%s,%s,%s,%d,%s",
                tally.requests(),
                tally.succeeded(),
                tally.failed(),
                seconds == 0 ? 0 : tally.requests() / seconds,
                millis(response.mean()),
                millis(response.p50()),
                millis(response.p95()),
                millis(response.p99()),
                millis(response.max()),
                millis(Latency.brief(tally, Timing.SERVICE).p99()),
                millis(Latency.brief(tally, Timing.SLIP).p99()),
                millis(Latency.brief(tally, Timing.FIRST_BYTE).p99()),
                tally.count(Timing.SET_UP),
                millis(Latency.brief(tally, Timing.SET_UP).mean()));
    }

    /** The first columns, which say what a row is about. */
    static String place(Interval interval, String operation) {
        return String.format(
                Locale.ROOT,
                "%s,%s,%.9f,%.9f",
                interval.phase(),
                Csv.quoted(operation),
                interval.start().toNanos() / 1e9,
                interval.length().toNanos() / 1e9);
    }

    /**
     * A row's cells by column.
     *
     * @param columns the names in the file's header; older versions have fewer
     */
    static Map<String, String> byColumn(List<String> columns, String line) {
        List<String> cells = Csv.cells(line);
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException("%d cells".formatted(cells.size()));
        }
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(columns.get(i), cells.get(i));
        }
        return row;
    }

    /** A cell that all versions have. */
    static String cell(Map<String, String> row, String column) {
        String cell = row.get(column);
        if (cell == null) {
            throw new IllegalArgumentException("no column " + column);
        }
        return cell;
    }

    /**
     * The requests of a row.
     *
     * @param times its histograms, from which all figures follow
     */
    static Tally tally(Map<String, String> row, Map<Timing, Histogram> times) {
        Counters counters = new Counters(
                Long.parseLong(cell(row, "responses")),
                Long.parseLong(cell(row, "censored")),
                Long.parseLong(cell(row, "bytes_received")),
                Long.parseLong(cell(row, "reconnects")),
                Long.parseLong(row.getOrDefault("resent", "0")),
                statuses(row.getOrDefault("statuses", "")),
                instances(row));
        Tally tally = Tally.of(
                times,
                causes(cell(row, "failures"), row.getOrDefault("failure_details", "")),
                counters,
                metrics(row.getOrDefault("metrics", "")));
        tally.addWarnings(causes(row.getOrDefault("warnings", ""), row.getOrDefault("warning_details", "")));
        tally.addUnchecked(causes(row.getOrDefault("unchecked", ""), ""));
        tally.keep(kept(row.getOrDefault("kept_requests", "")));
        return tally;
    }

    /** {@code 200=12;404=1}. */
    private static String statusesCell(Map<Integer, Long> statuses) {
        return joined(statuses, (status, count) -> status + "=" + count);
    }

    private static Map<Integer, Long> statuses(String cell) {
        Map<Integer, Long> statuses = new TreeMap<>();
        for (String status : parts(cell)) {
            int equals = status.indexOf('=');
            int code = Integer.parseInt(status.substring(0, equals));
            if (code < 100 || code > 999) {
                throw new IllegalArgumentException("status " + code);
            }
            statuses.put(code, Long.valueOf(status.substring(equals + 1)));
        }
        return statuses;
    }

    private static Map<InstanceState, Long> instances(Map<String, String> row) {
        Map<InstanceState, Long> states = new EnumMap<>(InstanceState.class);
        for (InstanceState state : InstanceState.values()) {
            String column = state.name().toLowerCase(Locale.ROOT) + "_starts";
            long count = Long.parseLong(row.getOrDefault(column, "0"));
            if (count > 0) {
                states.put(state, count);
            }
        }
        return states;
    }

    /** {@code http 503=12}. */
    private static String countsCell(Map<String, Tally.Failures> causes) {
        return joined(causes, (cause, of) -> escaped(cause) + "=" + of.count());
    }

    /** {@code http 503=try again later}: the first message of each cause, if any. */
    private static String detailsCell(Map<String, Tally.Failures> causes) {
        return causes.entrySet().stream()
                .filter(cause -> !cause.getValue().detail().isEmpty())
                .map(cause -> escaped(cause.getKey()).replace("=", "%3D")
                        + "="
                        + escaped(cause.getValue().detail()))
                .collect(Collectors.joining(";"));
    }

    private static Map<String, Tally.Failures> causes(String cell, String detailsCell) {
        Map<String, String> details = new HashMap<>();
        for (String detail : parts(detailsCell)) {
            int equals = detail.indexOf('=');
            details.put(unescaped(detail.substring(0, equals)), unescaped(detail.substring(equals + 1)));
        }
        Map<String, Tally.Failures> causes = new TreeMap<>();
        for (String cause : parts(cell)) {
            int equals = cause.lastIndexOf('=');
            long count = Long.parseLong(cause.substring(equals + 1));
            String name = unescaped(cause.substring(0, equals));
            causes.put(name, new Tally.Failures(count, details.getOrDefault(name, "")));
        }
        return causes;
    }

    /** {@code elapsed=/timeElapsed:ms=count:sum:min:max}, the numbers with all digits. */
    private static String metricsCell(Map<Metric, Values> metrics) {
        return joined(metrics, (metric, of) -> "%s=%s:%s:%s:%s"
                .formatted(escaped(metric.toString()), of.count(), of.sum(), of.min(), of.max()));
    }

    private static Map<Metric, Values> metrics(String cell) {
        Map<Metric, Values> metrics = new LinkedHashMap<>();
        for (String metric : parts(cell)) {
            int equals = metric.lastIndexOf('=');
            String[] values = metric.substring(equals + 1).split(":", 4);
            metrics.put(
                    Metric.parse(unescaped(metric.substring(0, equals))),
                    new Values(
                            Long.parseLong(values[0]),
                            Double.parseDouble(values[1]),
                            Double.parseDouble(values[2]),
                            Double.parseDouble(values[3])));
        }
        return metrics;
    }

    /** As in {@code result.json}. */
    private static List<KeptRequest> kept(String cell) {
        try {
            return cell.isEmpty() ? List.of() : List.of(JSON.readValue(cell, KeptRequest[].class));
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException("kept_requests", e);
        }
    }

    private static <K, V> String joined(Map<K, V> values, BiFunction<K, V, String> part) {
        return values.entrySet().stream()
                .map(value -> part.apply(value.getKey(), value.getValue()))
                .collect(Collectors.joining(";"));
    }

    private static String[] parts(String cell) {
        return cell.isEmpty() ? new String[0] : cell.split(";");
    }

    /** A check's text may contain the separator of causes. */
    private static String escaped(String cause) {
        return cause.replace("%", "%25").replace(";", "%3B");
    }

    private static String unescaped(String cause) {
        return cause.replace("%3B", ";").replace("%3D", "=").replace("%25", "%");
    }

    /** A time in a run. */
    static Duration seconds(Map<String, String> row, String column) {
        String text = cell(row, column);
        double seconds = Double.parseDouble(text);
        if (!(seconds >= 0 && seconds <= LONGEST_SECONDS)) {
            throw new IllegalArgumentException(text + ": expected seconds of a run");
        }
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    private static String millis(LatencyValue value) {
        return value.value()
                .map(time -> String.format(Locale.ROOT, "%.6f", time.toNanos() / 1e6))
                .orElse("");
    }
}
