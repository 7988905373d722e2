package io.phaseload.cluster;

import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.store.MergedRun;
import io.phaseload.result.store.StoredRun;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What all agents measured together. Immutable.
 *
 * @param result of all of them, as {@code phaseload merge} makes it of their folders
 * @param agents one section each
 * @param starts one per phase that was started
 */
public record ClusterResult(Result result, List<AgentSection> agents, List<PhaseStart> starts) {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * How well the agents started a phase together, by the coordinator's clock.
     *
     * @param phase its name
     * @param spread from the first agent's start to the last one's
     * @param error how far the truth may be from that, since clocks are known only so well
     * @param late the last start after the time that was ordered
     */
    public record PhaseStart(String phase, Duration spread, Duration error, Duration late) {

        private ObjectNode json() {
            return MAPPER.createObjectNode()
                    .put("phase", phase)
                    .put("spreadMs", spread.toNanos() / 1e6)
                    .put("errorMs", error.toNanos() / 1e6)
                    .put("lateMs", late.toNanos() / 1e6);
        }

        static PhaseStart of(String phase, long ordered, List<Member> agents) {
            LongSummaryStatistics starts =
                    agents.stream()
                            .map(member -> member.start(phase))
                            .flatMap(Optional::stream)
                            .mapToLong(start -> start - ordered)
                            .summaryStatistics();
            if (starts.getCount() == 0) {
                return new PhaseStart(phase, Duration.ZERO, Duration.ZERO, Duration.ZERO);
            }
            long error =
                    agents.stream()
                            .map(Member::offset)
                            .flatMap(Optional::stream)
                            .mapToLong(offset -> offset.error(ordered))
                            .max()
                            .orElse(0);
            return new PhaseStart(
                    phase,
                    Duration.ofNanos(starts.getMax() - starts.getMin()),
                    Duration.ofNanos(2 * error),
                    Duration.ofNanos(starts.getMax()));
        }
    }

    static ClusterResult of(
            Plan plan,
            List<Member> members,
            Map<String, Instant> begun,
            List<PhaseStart> starts,
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
            throw new IOException(
                    members.stream()
                            .map(of -> "agent " + of.name() + ": " + of.lost().orElse("no result"))
                            .collect(Collectors.joining("; ")));
        }
        MergedRun merged =
                new MergedRun(runs, measured.stream().map(of -> "agent " + of.name()).toList());
        Result result = merged.result(plan, breach);
        Verdict verdict = result.verdict();
        for (Member member : members) {
            if (member.lost().isPresent()) {
                verdict = verdict.and(lost(member));
            }
        }
        List<AgentSection> sections = new ArrayList<>();
        for (Member member : members) {
            int run = measured.indexOf(member);
            sections.add(
                    AgentSection.of(
                            member,
                            run < 0 ? Optional.empty() : Optional.of(runs.get(run).result())));
        }
        return new ClusterResult(
                result.withVerdict(verdict), List.copyOf(sections), List.copyOf(starts));
    }

    /** {@return agents and starts: JSON of several lines} */
    public String json() {
        ObjectNode json = MAPPER.createObjectNode();
        agents.forEach(agent -> json.withArray("agents").add(MAPPER.<JsonNode>valueToTree(agent)));
        starts.forEach(start -> json.withArray("starts").add(start.json()));
        return MAPPER.writeValueAsString(json) + "\n";
    }

    private static Finding lost(Member member) {
        Duration last =
                member.intervals().stream()
                        .map(interval -> interval.start().plus(interval.length()))
                        .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
        return Rule.AGENT_LOST.finding(
                member.name(), member.lost().orElseThrow(), last.toNanos() / 1e9);
    }
}
