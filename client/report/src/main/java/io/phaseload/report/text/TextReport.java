package io.phaseload.report.text;

import io.phaseload.input.Secrets;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.Lines;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.AgentTables;
import io.phaseload.report.tables.RequestTables;
import io.phaseload.report.tables.ResultTables;
import io.phaseload.report.tables.StreamTable;
import io.phaseload.result.Agents;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.result.host.ServerUse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A result as text for people. The lines down to {@code P99 Latency} keep their wording, since scripts read them;
 * numbers are the same in every locale.
 */
public final class TextReport {

    /** The page and result.json have all of it. */
    private static final int MOST_OF_MESSAGE = 200;

    private TextReport() {}

    /**
     * The first line.
     *
     * @return a line without its end
     */
    public static String startLine(Instant startedAt) {
        return "Client starting.... Time: " + startedAt.toEpochMilli();
    }

    /**
     * The line at a phase's start.
     *
     * @param phase the phase's name
     * @return a line without its end
     */
    public static String phaseStartLine(String phase, int threads) {
        return TextFormat.format("%s phase: All threads(%d) running....", title(phase), threads);
    }

    /**
     * The line at a phase's end.
     *
     * @param phase the phase's name
     * @return a line without its end
     */
    public static String phaseEndLine(String phase, Duration wall) {
        return TextFormat.format("%s phase complete: Time %.3f seconds", title(phase), TextFormat.seconds(wall));
    }

    /**
     * The whole report.
     *
     * @param result of a run
     * @return lines that each end in a line feed
     */
    public static String write(Result result) {
        return write(result, TextTable.WIDE);
    }

    /**
     * The whole report, with its tables folded to a width.
     *
     * @param result of a run
     * @param columns the width, see {@link TextTable#write}
     * @return lines that each end in a line feed
     */
    public static String write(Result result, int columns) {
        Lines out = new Lines();
        out.add(startLine(result.startedAt()));
        for (PhaseResult phase : result.phases()) {
            if (phase.startedAt().isPresent()) {
                out.add(phaseStartLine(phase.name(), phase.threads()));
                out.add(phaseEndLine(phase.name(), phase.figures().wall()));
            }
        }
        return out + summary(result, columns);
    }

    /**
     * The report from {@code =====} on, without the lines that a run prints as it goes on.
     *
     * @param result of a run
     * @return lines that each end in a line feed
     */
    public static String summary(Result result) {
        return summary(result, TextTable.WIDE);
    }

    /**
     * The same, with its tables folded to a width.
     *
     * @param result of a run
     * @param columns the width, see {@link TextTable#write}
     * @return lines that each end in a line feed
     */
    public static String summary(Result result, int columns) {
        Lines out = new Lines(columns);
        out.add("=====");
        result.proof().ifPresent(proof -> ProofLines.add(proof, out));
        if (result.totals().allFailed()) {
            out.format("No request succeeded: all %d failed.", result.totals().requests());
            failures(result, out);
            out.add("");
        }
        ContractLines.addTotals(result, out);
        out.add("");
        out.add(DiagnosisLines.text(result));
        out.add("");
        ContractLines.addMeasured(result, out);
        out.add("");
        out.add(SetUpLines.of(result));
        out.add(RequestLines.of(result));
        out.add(ConnectionLines.of(result));
        out.add(HealthLines.of(result));
        out.add("");
        // Without the percentage, since lines are long.
        out.add(fitting(ResultTables.operations(result).without("failed_percent"), result, columns));
        part(
                List.of("Journeys and groups of steps, from the first request to the last response:"),
                fitting(ResultTables.journeys(result).without("failed_percent"), result, columns),
                out);
        part(
                List.of("Loads, as they were changed while the run went on:"),
                ResultTables.segments(result).without("threads").without("failed_percent"),
                out);
        part(List.of(), StreamTable.of(result), out);
        result.plan().serverMetrics().ifPresent(metrics -> server(result, metrics, out));
        result.agents().ifPresent(agents -> agents(agents, out));
        out.add("");
        if (!result.totals().allFailed()) {
            slowest(result, out);
            failures(result, out);
            out.add("");
        }
        verdict(result, out);
        out.add("");
        out.add(Headline.sentence(result));
        out.add(thresholds("Failed", Outcome.FAIL, result));
        out.add(thresholds("Undecided", Outcome.UNDECIDED, result));
        return out.toString();
    }

    /** Nothing of an empty table. */
    private static void part(List<String> title, Table table, Lines out) {
        if (!table.isEmpty()) {
            out.add("");
            out.add(title);
            out.add(table);
        }
    }

    private static List<String> thresholds(String word, Outcome outcome, Result result) {
        String some = result.thresholds().stream()
                .filter(of -> of.outcome() == outcome)
                .map(of -> of.expression() + " (" + of.observedText()
                        + (of.evidence().isEmpty() ? "" : ", " + of.intervalText()) + ")")
                .collect(Collectors.joining(", "));
        return some.isEmpty() ? List.of() : List.of(word + " thresholds: " + some);
    }

    /** Of the measured phases alone, without users and means, where lines would be folded. */
    private static Table fitting(Table table, Result result, int columns) {
        Table measured = table.without("threads").without("mean_ms").where("phase", result.measuredPhases()::contains);
        return TextTable.fits(table, columns) || measured.isEmpty() ? table : measured;
    }

    private static void server(Result result, ServerMetrics metrics, Lines out) {
        out.add("");
        out.format(
                "Server's own figures, mean and max, read once a second from %s:",
                metrics.pages().keySet().stream()
                        .map(server -> address(result, metrics, server))
                        .collect(Collectors.joining(", ")));
        out.add(ResultTables.server(result, metrics));
        int gaps = result.phases().stream()
                .flatMap(phase -> phase.server().stream())
                .mapToInt(ServerUse::gaps)
                .sum();
        if (gaps > 0) {
            out.format("  Without an answer in time: %d", gaps);
        }
    }

    private static void agents(Agents agents, Lines out) {
        out.add("");
        out.add("Agents:");
        out.addIndented(AgentTables.agents(agents));
        out.addIndented(AgentTables.starts(agents));
        agents.peerClocks().stream()
                .mapToDouble(pair -> pair.last().boundMs())
                .max()
                .ifPresent(bound ->
                        out.format("  Clocks of agents, compared with each other: known within %.3f ms", bound));
    }

    private static String address(Result result, ServerMetrics metrics, String server) {
        String address = Secrets.redactQuery(
                result.plan().target().resolve(metrics.page(server)).toString());
        return server.isEmpty() ? address : server + " (" + address + ")";
    }

    /** The failures by cause, and what the first of each said, if that is more. */
    private static void failures(Result result, Lines out) {
        Table causes = ResultTables.causes(result);
        if (causes.isEmpty()) {
            out.add("Failures: none");
            FailureLines.of(result).forEach(out::add);
            return;
        }
        out.add("Failures by cause:");
        out.addIndented(causes.without("first_message"));
        Set<Object> told = new HashSet<>();
        for (List<Object> row : causes.rows()) {
            Object message = row.get(row.size() - 1);
            if (!message.equals("") && told.add(row.get(0))) {
                String text = message.toString();
                String shown = text.length() > MOST_OF_MESSAGE ? text.substring(0, MOST_OF_MESSAGE) + "…" : text;
                out.format("  The first '%s' (%s, %s): %s", row.get(0), row.get(1), row.get(2), shown);
            }
        }
        result.totals().failures().keySet().forEach(cause -> {
            Table requests = RequestTables.failed(result, cause);
            if (!requests.isEmpty()) {
                out.format("  Kept request %s: %s, at %s", requests.cell(0, "number"), cause, requests.cell(0, "at"));
                details(requests, out);
            }
        });
        FailureLines.of(result).forEach(out::add);
    }

    /** Of the measured phases, in a few words; the page has more of them. */
    private static void slowest(Result result, Lines out) {
        Table slowest = RequestTables.slowest(result, result.measuredPhases());
        if (!slowest.isEmpty()) {
            out.format(
                    "Slowest success: %s ms, at %s in %s, user %s, request %s",
                    slowest.columns().get(0).write(slowest.cell(0, "response_ms")),
                    slowest.cell(0, "at"),
                    slowest.cell(0, "phase"),
                    slowest.cell(0, "user"),
                    slowest.cell(0, "number"));
            out.format("  %s", slowest.cell(0, "request"));
            details(slowest, out);
        }
    }

    /** The trace and the headers of the first one, if they were kept. */
    private static void details(Table requests, Lines out) {
        for (String detail : List.of("trace", "headers")) {
            boolean kept = requests.columns().stream().anyMatch(of -> of.name().equals(detail));
            if (kept && requests.cell(0, detail) != null) {
                out.format("  %s: %s", requests.title(detail), requests.cell(0, detail));
            }
        }
    }

    private static void verdict(Result result, Lines out) {
        out.add("Verdict: " + result.verdict().status());
        result.verdict().texts().forEach(reason -> out.add("  " + reason));
        result.steady().forEach(phase -> out.add(phase.text()));
        if (!result.thresholds().isEmpty()) {
            out.add("Thresholds: " + counts(result.thresholds()));
            out.addIndented(ResultTables.thresholds(result));
        }
    }

    /** The numbers of thresholds that haven't passed. */
    static String counts(List<ThresholdResult> thresholds) {
        long undecided = thresholds.stream()
                .filter(of -> of.outcome() == Outcome.UNDECIDED)
                .count();
        long failed =
                thresholds.stream().filter(of -> of.outcome() == Outcome.FAIL).count();
        return TextFormat.format("%d of %d failed", failed, thresholds.size())
                + (undecided == 0 ? "" : TextFormat.format(", %d undecided", undecided));
    }

    private static String title(String phase) {
        return phase.toUpperCase(Locale.ROOT);
    }
}
