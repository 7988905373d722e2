package io.phaseload.cluster;

import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.clock.ClockDrift;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.clock.ClockReading;
import io.phaseload.cluster.clock.TimeService;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Plan;
import io.phaseload.result.Agents;
import io.phaseload.result.Environment;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.store.MergedRun;
import io.phaseload.result.store.StoredRun;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** The measurement of all agents together, with a section for each. */
final class ClusterResult {

    private final Plan plan;
    private final List<Member> members;
    // By whose clock was read, and against whose.
    private final Map<List<String>, List<ClockReading>> readings;

    private ClusterResult(Plan plan, List<Member> members, List<ClockReading> readings) {
        this.plan = plan;
        this.members = members;
        this.readings = readings.stream().collect(Collectors.groupingBy(of -> List.of(of.of(), of.against())));
    }

    /**
     * The result of all agents, as {@code phaseload merge} makes it of their folders.
     *
     * @param begun the time when phases began, by this machine's clock
     * @param readings of all clocks
     * @param breach the threshold that ended all of them, if one did
     * @throws IOException if no agent measured anything, with a message that says why
     */
    static Result of(
            Plan plan,
            List<Member> members,
            Map<String, Instant> begun,
            List<Agents.Start> starts,
            List<ClockReading> readings,
            Optional<ThresholdResult> breach)
            throws IOException {
        List<StoredRun> runs = new ArrayList<>();
        List<Member> measured = new ArrayList<>();
        for (Member member : members) {
            Optional<ObjectNode> json = member.result(begun);
            if (json.isPresent()) {
                runs.add(StoredRun.of(json.get().toString(), member.intervals()));
                measured.add(member);
            }
        }
        if (runs.isEmpty()) {
            throw new IOException(members.stream()
                    .map(of -> "agent " + of.name() + ": " + of.lost().orElse("no result"))
                    .collect(Collectors.joining("; ")));
        }
        MergedRun merged = new MergedRun(
                runs, measured.stream().map(of -> "agent " + of.name()).toList());
        Result result = merged.result(plan, breach);
        ClusterResult sections = new ClusterResult(plan, members, readings);
        List<Agents.Agent> all = new ArrayList<>();
        for (Member member : members) {
            int run = measured.indexOf(member);
            all.add(sections.section(
                    member,
                    run < 0 ? Optional.empty() : Optional.of(runs.get(run).result())));
        }
        return result.withVerdict(judged(result.verdict(), all))
                .withCommandLine(Environment.capture().commandLine())
                .withAgents(new Agents(all, starts, sections.peerClocks()));
    }

    private static Verdict judged(Verdict merged, List<Agents.Agent> agents) {
        Verdict verdict = merged;
        for (Agents.Agent agent : agents) {
            if (agent.lost().isPresent()) {
                verdict = verdict.and(lost(agent.name(), agent.lost().get()));
            } else if (agent.difference().filter(AgentDifference::isAlarming).isPresent()) {
                Agents.Difference of = agent.difference().get();
                verdict = verdict.and(Rule.AGENT_DIFFERS.finding(
                        Wording.REQUESTS, agent.name(), 100 + of.p50Percent(), 100 + of.ratePercent()));
            }
        }
        return verdict;
    }

    private static Finding lost(String agent, Agents.Lost lost) {
        return Rule.AGENT_LOST.finding(
                Wording.REQUESTS, agent, lost.why(), lost.lastSecond(), lost.missingSeconds(), lost.missingRequests());
    }

    private Agents.Agent section(Member member, Optional<Result> result) {
        List<ClockReading> own = readings(member.name(), AgentSettings.COORDINATOR);
        return new Agents.Agent(
                member.name(),
                member.host(),
                member.weight(),
                member.part().toString(),
                member.folder(),
                member.lost().map(why -> lost(member, why)),
                result.map(of -> Agents.Measured.of(of.measured())),
                result.map(of -> of.verdict().status().name()),
                AgentDifference.of(member, members, plan),
                clocks(own),
                drift(own),
                member.kept().map(ClusterResult::chrony));
    }

    private List<ClockReading> readings(String of, String against) {
        return readings.getOrDefault(List.of(of, against), List.of());
    }

    private List<Agents.PeerClocks> peerClocks() {
        List<Agents.PeerClocks> pairs = new ArrayList<>();
        for (Member against : members) {
            for (Member of : members) {
                List<ClockReading> both = readings(of.name(), against.name());
                if (!both.isEmpty()) {
                    pairs.add(new Agents.PeerClocks(of.name(), against.name(), clocks(both), drift(both)));
                }
            }
        }
        return pairs;
    }

    private static Optional<Agents.Drift> drift(List<ClockReading> readings) {
        return ClockDrift.of(readings.stream().map(ClockReading::offset).toList())
                .map(drift -> new Agents.Drift(drift.lowPpm(), drift.highPpm()));
    }

    private static Agents.Chrony chrony(TimeService kept) {
        return new Agents.Chrony(kept.ahead() / 1e6, kept.error() / 1e6);
    }

    private Agents.Lost lost(Member lost, String why) {
        Duration last = reportedUntil(lost);
        Duration end = members.stream()
                .map(ClusterResult::reportedUntil)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        List<Member> others = members.stream().filter(of -> of.lost().isEmpty()).toList();
        // All parts are of the same number of turns.
        double turns = others.stream().mapToInt(of -> of.part().turns().size()).sum();
        long sent = others.stream()
                .flatMap(member -> member.intervals().stream())
                .filter(interval -> interval.start().compareTo(last) >= 0)
                .flatMap(interval -> interval.operations().stream())
                .mapToLong(Tally::requests)
                .sum();
        return new Agents.Lost(
                why,
                last.toNanos() / 1e9,
                end.minus(last).toNanos() / 1e9,
                turns == 0 ? 0 : Math.round(sent * lost.part().turns().size() / turns));
    }

    /** The end of the last second that it reported, since its run began. */
    private static Duration reportedUntil(Member member) {
        return member.intervals().stream()
                .map(ClusterResult::end)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private static Duration end(Interval interval) {
        return interval.start().plus(interval.length());
    }

    private static List<Agents.Clock> clocks(List<ClockReading> readings) {
        return readings.stream().map(ClusterResult::clock).toList();
    }

    private static Agents.Clock clock(ClockReading reading) {
        ClockOffset offset = reading.offset();
        return new Agents.Clock(
                reading.seconds(),
                offset.middle() / 1e6,
                offset.error(offset.measured()) / 1e6,
                offset.estimate() / 1e6,
                offset.delay() / 1e6,
                offset.medianDelay() / 1e6,
                offset.p99Delay() / 1e6,
                offset.exchanges(),
                offset.consistent(),
                Optional.of(new Agents.TimeOfDay(reading.wallAhead() / 1e6, reading.wallError() / 1e6)),
                reading.kept().map(ClusterResult::chrony));
    }

    /**
     * How well agents started a phase together.
     *
     * @param ordered the time when they were to start, by this machine's clock
     * @param agents those that took part
     */
    static Agents.Start start(String phase, long ordered, List<Member> agents, Optional<Agents.Wait> readyLast) {
        Optional<Agents.Wait> endedLast = Waits.of(
                agents.stream().filter(member -> member.wall(phase).isPresent()).toList(),
                member -> member.wall(phase).orElseThrow().toNanos());
        LongSummaryStatistics starts = agents.stream()
                .map(member -> member.start(phase))
                .flatMap(Optional::stream)
                .mapToLong(start -> start - ordered)
                .summaryStatistics();
        if (starts.getCount() == 0) {
            return new Agents.Start(phase, 0, 0, 0, readyLast, endedLast);
        }
        long error = agents.stream()
                .map(Member::offset)
                .flatMap(Optional::stream)
                .mapToLong(offset -> offset.error(ordered))
                .max()
                .orElse(0);
        return new Agents.Start(
                phase,
                (starts.getMax() - starts.getMin()) / 1e6,
                2 * error / 1e6,
                starts.getMax() / 1e6,
                readyLast,
                endedLast);
    }
}
