package io.phaseload.report.text;

import io.phaseload.plan.ServerMetrics;
import io.phaseload.result.Figures;
import io.phaseload.result.Latency;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import io.phaseload.result.Secrets;
import io.phaseload.result.ServerUse;
import io.phaseload.result.ServerUse.Spread;
import java.util.ArrayList;
import java.util.List;

/** What was measured in each phase: of its operations, and of the server. */
final class PhaseTables {

    private final Result result;
    private final Lines out;

    private PhaseTables(Result result, Lines out) {
        this.result = result;
        this.out = out;
    }

    /** Adds the tables. */
    static void add(Result result, Lines out) {
        PhaseTables of = new PhaseTables(result, out);
        of.operations();
        of.server();
    }

    private void operations() {
        TextTable table =
                new TextTable(
                        2,
                        "phase",
                        "operation",
                        "threads",
                        "requests",
                        "failed",
                        "rps",
                        "mean ms",
                        "p50",
                        "p95",
                        "p99",
                        "max");
        for (PhaseResult phase : result.phases()) {
            for (OperationResult operation : phase.operations()) {
                addRow(table, phase, operation.name(), operation.figures());
            }
            if (phase.operations().size() > 1) {
                addRow(table, phase, "(all)", phase.figures());
            }
        }
        out.add("");
        out.add(table);
    }

    private static void addRow(TextTable table, PhaseResult phase, String name, Figures figures) {
        Latency response = figures.response();
        table.row(
                phase.name(),
                name,
                Integer.toString(phase.threads()),
                Long.toString(figures.requests()),
                Long.toString(figures.failed()),
                TextReport.format("%.1f", figures.requestsPerSecond()),
                TextReport.millis(response.mean()),
                TextReport.millis(response.p50()),
                TextReport.millis(response.p95()),
                TextReport.millis(response.p99()),
                TextReport.millis(response.max()));
    }

    private void server() {
        result.plan().serverMetrics().ifPresent(this::server);
    }

    private void server(ServerMetrics metrics) {
        List<String> header = new ArrayList<>(List.of("phase", "samples"));
        metrics.names().forEach(name -> header.addAll(List.of(name, "max")));
        TextTable table = new TextTable(1, header.toArray(String[]::new));
        int gaps = 0;
        for (PhaseResult phase : result.phases()) {
            ServerUse server = phase.server();
            List<String> row = new ArrayList<>();
            row.add(phase.name());
            row.add(Integer.toString(server.samples()));
            for (String name : metrics.names()) {
                Spread spread = server.figures().get(name);
                row.add(spread == null ? "n/a" : TextReport.format("%.1f", spread.mean()));
                row.add(spread == null ? "n/a" : TextReport.format("%.1f", spread.max()));
            }
            table.row(row.toArray(String[]::new));
            gaps += server.gaps();
        }
        out.add("");
        out.format(
                "Server, mean and max of its own figures, asked once a second at %s:",
                Secrets.redactQuery(metrics.of(result.plan().target()).toString()));
        out.add(table);
        if (gaps > 0) {
            out.format("  Asked without an answer, or with one that came too late: %d.", gaps);
        }
    }
}
