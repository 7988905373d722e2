package io.phaseload.report.tables;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.Agents;
import io.phaseload.result.Agents.Agent;
import io.phaseload.result.Agents.Clock;
import io.phaseload.result.Agents.Difference;
import io.phaseload.result.Agents.Drift;
import io.phaseload.result.Agents.Measured;
import io.phaseload.result.Agents.PeerClocks;
import io.phaseload.result.Agents.Start;
import io.phaseload.result.Agents.Wait;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The measurements of a run's agents, their common starts, and their clocks. */
public final class AgentTables {

    private static final Column PER_SECOND = new Column("requests_per_second", "rps", "", 1);
    private static final Column P50_DIFFERENCE = new Column("p50_difference_percent", "p50 vs others", "%", 1);
    private static final Column RATE_DIFFERENCE = new Column("rate_difference_percent", "rate vs others", "%", 1);

    private AgentTables() {}

    /**
     * The figures of each agent, their difference from all others together, and its clock.
     *
     * @param agents of a run
     * @return the table {@code agents}
     */
    public static Table agents(Agents agents) {
        return new Columns<Agent>()
                .text("agent", Agent::name)
                .text("host", Agent::host)
                .text("part", Agent::part)
                .count("requests", of -> cell(of.measured(), Measured::requests))
                .count("failed", of -> cell(of.measured(), Measured::failed))
                .add(PER_SECOND, of -> cell(of.measured(), Measured::requestsPerSecond))
                .number("p50_ms", "p50", "ms", of -> time(of.measured(), Measured::p50Ms))
                .number("p99_ms", "p99", "ms", of -> time(of.measured(), Measured::p99Ms))
                .text("verdict", of -> of.lost().isPresent() ? new Strong("LOST") : cell(of.verdict(), any -> any))
                .add(P50_DIFFERENCE, of -> cell(of.difference(), Difference::p50Percent))
                .add(RATE_DIFFERENCE, of -> cell(of.difference(), Difference::ratePercent))
                .number("clock_ms", "clock ahead by", "ms", of -> cell(of.clock(), Clock::offsetMs))
                .number("clock_bound_ms", "give or take", "ms", of -> cell(of.clock(), Clock::boundMs))
                .table("agents", agents.members().stream());
    }

    /**
     * Agents' clocks, compared with each other.
     *
     * @param agents of a run
     * @return the table {@code peer-clocks}, as they were compared last
     */
    public static Table peerClocks(Agents agents) {
        return new Columns<PeerClocks>()
                .text("agent", PeerClocks::agent)
                .text("against", PeerClocks::against)
                .number("clock_ms", "clock ahead by", "ms", of -> of.last().offsetMs())
                .number("clock_bound_ms", "give or take", "ms", of -> of.last().boundMs())
                .number("rtt_min_ms", "quickest exchange", "ms", of -> of.last().roundTripMs())
                .number("drift_low_ppm", "drift at least", "ppm", of -> cell(of.drift(), Drift::lowPpm))
                .number("drift_high_ppm", "at most", "ppm", of -> cell(of.drift(), Drift::highPpm))
                .table("peer-clocks", agents.peerClocks().stream());
    }

    private static <T> Object cell(Optional<T> of, Function<T, ?> value) {
        return of.isPresent() ? value.apply(of.get()) : Missing.NOT_MEASURED;
    }

    private static Object time(Optional<Measured> own, Function<Measured, Optional<Double>> time) {
        return cell(own, of -> time.apply(of).<Object>map(ms -> ms).orElse(Missing.TOO_FEW));
    }

    /**
     * How well the agents started each phase together.
     *
     * @param agents of a run
     * @return the table {@code starts}
     */
    public static Table starts(Agents agents) {
        return new Columns<Start>()
                .text("phase", Start::phase)
                .number("spread_ms", "agents started within", "ms", Start::spreadMs)
                .number("error_ms", "give or take", "ms", Start::errorMs)
                .text("waited for", AgentTables::waits)
                .table("starts", agents.starts().stream());
    }

    private static String waits(Start start) {
        String all = Stream.of(
                        start.readyLast().map(wait -> wait(wait, "to be ready")),
                        start.endedLast().map(wait -> wait(wait, "to end")))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "nobody" : all;
    }

    private static String wait(Wait wait, String what) {
        return TextFormat.format("%s %s: %.1f s", wait.agent(), what, wait.seconds());
    }
}
