package io.phaseload.report.tables;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Agents;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The measurements of a run's agents, their common starts, and their clocks. */
public final class AgentTables {

    private AgentTables() {}

    /**
     * The figures of each agent, their difference from all others together, and its clock.
     *
     * @param agents of a run
     * @return the table {@code agents}
     */
    public static Table agents(Agents agents) {
        Table.Builder table = new Table.Builder(
                "agents",
                Column.text("agent"),
                Column.text("host"),
                Column.text("part"),
                Column.count("requests"),
                Column.count("failed"),
                new Column("requests_per_second", "rps", "", 1),
                Column.of("p50_ms", "p50", "ms"),
                Column.of("p99_ms", "p99", "ms"),
                Column.text("verdict"),
                new Column("p50_difference_percent", "p50 vs others", "%", 1),
                new Column("rate_difference_percent", "rate vs others", "%", 1),
                Column.of("clock_ms", "clock ahead by", "ms"),
                Column.of("clock_bound_ms", "give or take", "ms"));
        for (Agents.Agent agent : agents.members()) {
            List<Object> row = new ArrayList<>(List.of(agent.name(), agent.host(), agent.part()));
            Optional<Agents.Measured> own = agent.measured();
            row.add(cell(own.map(Agents.Measured::requests)));
            row.add(cell(own.map(Agents.Measured::failed)));
            row.add(cell(own.map(Agents.Measured::requestsPerSecond)));
            row.add(time(own, own.flatMap(Agents.Measured::p50Ms)));
            row.add(time(own, own.flatMap(Agents.Measured::p99Ms)));
            row.add(agent.lost().isPresent() ? new Strong("LOST") : cell(agent.verdict()));
            row.add(cell(agent.difference().map(Agents.Difference::p50Percent)));
            row.add(cell(agent.difference().map(Agents.Difference::ratePercent)));
            row.add(cell(agent.clock().map(Agents.Clock::offsetMs)));
            row.add(cell(agent.clock().map(Agents.Clock::boundMs)));
            table.row(row);
        }
        return table.build();
    }

    /**
     * Agents' clocks, compared with each other.
     *
     * @param agents of a run
     * @return the table {@code peer-clocks}, as they were compared last
     */
    public static Table peerClocks(Agents agents) {
        Table.Builder table = new Table.Builder(
                "peer-clocks",
                Column.text("agent"),
                Column.text("against"),
                Column.of("clock_ms", "clock ahead by", "ms"),
                Column.of("clock_bound_ms", "give or take", "ms"),
                Column.of("rtt_min_ms", "quickest exchange", "ms"),
                Column.of("drift_low_ppm", "drift at least", "ppm"),
                Column.of("drift_high_ppm", "at most", "ppm"));
        for (Agents.PeerClocks pair : agents.peerClocks()) {
            table.row(
                    pair.agent(),
                    pair.against(),
                    pair.last().offsetMs(),
                    pair.last().boundMs(),
                    pair.last().roundTripMs(),
                    cell(pair.drift().map(Agents.Drift::lowPpm)),
                    cell(pair.drift().map(Agents.Drift::highPpm)));
        }
        return table.build();
    }

    private static Object cell(Optional<?> value) {
        return value.isPresent() ? value.get() : Missing.NOT_MEASURED;
    }

    private static Object time(Optional<Agents.Measured> own, Optional<Double> time) {
        return own.isPresent() && time.isEmpty() ? Missing.TOO_FEW : cell(time);
    }

    /**
     * How well the agents started each phase together.
     *
     * @param agents of a run
     * @return the table {@code starts}
     */
    public static Table starts(Agents agents) {
        Table.Builder table = new Table.Builder(
                "starts",
                Column.text("phase"),
                Column.of("spread_ms", "agents started within", "ms"),
                Column.of("error_ms", "give or take", "ms"),
                Column.text("waited for"));
        for (Agents.Start start : agents.starts()) {
            table.row(start.phase(), start.spreadMs(), start.errorMs(), waits(start));
        }
        return table.build();
    }

    private static String waits(Agents.Start start) {
        String all = Stream.of(
                        start.readyLast().map(wait -> wait(wait, "to be ready")),
                        start.endedLast().map(wait -> wait(wait, "to end")))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "nobody" : all;
    }

    private static String wait(Agents.Wait wait, String what) {
        return String.format(Locale.ROOT, "%s %s: %.1f s", wait.agent(), what, wait.seconds());
    }
}
