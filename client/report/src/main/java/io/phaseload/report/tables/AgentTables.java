package io.phaseload.report.tables;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.Agents;
import java.util.Optional;
import java.util.function.Function;
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
        return new Columns<Agents.Agent>()
                .text("agent", Agents.Agent::name)
                .text("host", Agents.Agent::host)
                .text("part", Agents.Agent::part)
                .count("requests", of -> cell(of.measured().map(Agents.Measured::requests)))
                .count("failed", of -> cell(of.measured().map(Agents.Measured::failed)))
                .add(
                        new Column("requests_per_second", "rps", "", 1),
                        of -> cell(of.measured().map(Agents.Measured::requestsPerSecond)))
                .number("p50_ms", "p50", "ms", of -> time(of.measured(), Agents.Measured::p50Ms))
                .number("p99_ms", "p99", "ms", of -> time(of.measured(), Agents.Measured::p99Ms))
                .text("verdict", of -> of.lost().isPresent() ? new Strong("LOST") : cell(of.verdict()))
                .add(
                        new Column("p50_difference_percent", "p50 vs others", "%", 1),
                        of -> cell(of.difference().map(Agents.Difference::p50Percent)))
                .add(
                        new Column("rate_difference_percent", "rate vs others", "%", 1),
                        of -> cell(of.difference().map(Agents.Difference::ratePercent)))
                .number(
                        "clock_ms",
                        "clock ahead by",
                        "ms",
                        of -> cell(of.clock().map(Agents.Clock::offsetMs)))
                .number(
                        "clock_bound_ms",
                        "give or take",
                        "ms",
                        of -> cell(of.clock().map(Agents.Clock::boundMs)))
                .table("agents", agents.members().stream());
    }

    /**
     * Agents' clocks, compared with each other.
     *
     * @param agents of a run
     * @return the table {@code peer-clocks}, as they were compared last
     */
    public static Table peerClocks(Agents agents) {
        return new Columns<Agents.PeerClocks>()
                .text("agent", Agents.PeerClocks::agent)
                .text("against", Agents.PeerClocks::against)
                .number("clock_ms", "clock ahead by", "ms", of -> of.last().offsetMs())
                .number("clock_bound_ms", "give or take", "ms", of -> of.last().boundMs())
                .number("rtt_min_ms", "quickest exchange", "ms", of -> of.last().roundTripMs())
                .number(
                        "drift_low_ppm",
                        "drift at least",
                        "ppm",
                        of -> cell(of.drift().map(Agents.Drift::lowPpm)))
                .number(
                        "drift_high_ppm",
                        "at most",
                        "ppm",
                        of -> cell(of.drift().map(Agents.Drift::highPpm)))
                .table("peer-clocks", agents.peerClocks().stream());
    }

    private static Object cell(Optional<?> value) {
        return value.isPresent() ? value.get() : Missing.NOT_MEASURED;
    }

    private static Object time(Optional<Agents.Measured> own, Function<Agents.Measured, Optional<Double>> time) {
        return own.isPresent()
                ? time.apply(own.get()).<Object>map(ms -> ms).orElse(Missing.TOO_FEW)
                : Missing.NOT_MEASURED;
    }

    /**
     * How well the agents started each phase together.
     *
     * @param agents of a run
     * @return the table {@code starts}
     */
    public static Table starts(Agents agents) {
        return new Columns<Agents.Start>()
                .text("phase", Agents.Start::phase)
                .number("spread_ms", "agents started within", "ms", Agents.Start::spreadMs)
                .number("error_ms", "give or take", "ms", Agents.Start::errorMs)
                .text("waited for", AgentTables::waits)
                .table("starts", agents.starts().stream());
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
        return TextFormat.format("%s %s: %.1f s", wait.agent(), what, wait.seconds());
    }
}
