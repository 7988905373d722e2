package io.phaseload.soak;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phaseload.host.HostFigure;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Figure;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.SteadyPhase;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.result.build.ThresholdSeries;
import io.phaseload.result.json.JsonFile;
import io.phaseload.stats.ConfidenceInterval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A long run, judged by the slopes of its figures: response times, throughput and failures, and all that servers
 * report.
 *
 * @param schemaVersion the version of the JSON format
 * @param runId the run's
 * @param phase the longest measured phase, which is judged
 * @param seconds its length
 * @param steady the steady parts of the run's long phases
 * @param drifts the figures, those that fail first
 */
public record Soak(
        int schemaVersion, String runId, String phase, double seconds, List<SteadyPhase> steady, List<Drift> drifts) {

    /** The version that this version writes. */
    public static final int SCHEMA_VERSION = 1;

    private static final List<String> REQUESTS =
            List.of("slope p50 < 1%/h", "slope p99 < 1%/h", "slope rps > -1%/h", "slope failures < 0.1%/h");

    private static final Set<String> JUDGED = Set.of(
            "heapMiB",
            "residentMiB",
            "memoryUsedPercent",
            "openFiles",
            "openFilesPercent",
            "openConnections",
            "socketsEstablished",
            "socketsCloseWait",
            "portsUsed",
            "portsUsedPercent",
            "cpuPercent",
            "cpuCores",
            "inFlight",
            "busyThreads",
            "queuedRequests",
            "poolBusy",
            "poolWaiting");

    /** At the end of the name of the same figure as a part of its limit. */
    private static final String ALL = "Percent";

    private static final double ALL_PERCENT = 100;

    /** The part of the run whose lowest value is its level. */
    private static final double END = 0.9;

    /**
     * Judges a run.
     *
     * @param result of the run
     * @param intervals all of it
     * @param limits the levels at which servers' figures run out, by their names in results and in their units; 100 %
     *     of descriptors, ports and memory is known
     * @return the judgement
     */
    public static Soak of(Result result, List<Interval> intervals, Map<String, Double> limits) {
        PhaseResult phase = result.phases().stream()
                .filter(of -> result.measuredPhases().contains(of.name()))
                .max(Comparator.comparing(of -> of.figures().wall()))
                .orElseThrow();
        List<Interval> own =
                intervals.stream().filter(of -> of.phase().equals(phase.name())).toList();
        Map<String, Threshold> wanted = new LinkedHashMap<>();
        for (String text : REQUESTS) {
            Threshold threshold = Threshold.parse(phase.name() + ": " + text);
            wanted.put(((Figure.Slope) threshold.figure()).of().toString(), threshold);
        }
        for (String name : reported(own, result.plan())) {
            wanted.put("server." + name, Threshold.parse("%s: slope server.%s < 1%%/h".formatted(phase.name(), name)));
        }
        List<Threshold> all = new ArrayList<>(wanted.values());
        wanted.values().forEach(of -> all.add(absolute(of, result.plan())));
        List<ThresholdResult> judged = ThresholdSeries.judged(
                // Of many figures, one is above its limit by chance more often than of a single one.
                result, all, own, 1 - (1 - ConfidenceInterval.COVERAGE) / wanted.size());
        List<Drift> drifts = new ArrayList<>();
        int i = 0;
        for (String figure : wanted.keySet()) {
            Optional<String> server = Optional.of(figure)
                    .filter(of -> of.startsWith("server."))
                    .map(of -> of.substring("server.".length()));
            drifts.add(Drift.of(
                    figure,
                    judged.get(i),
                    judged.get(wanted.size() + i),
                    server.flatMap(name -> level(own, name)),
                    server.flatMap(name -> Optional.ofNullable(limits.get(name)).or(() -> known(name)))));
            i++;
        }
        drifts.sort(Comparator.comparingInt(
                of -> List.of(Outcome.FAIL, Outcome.UNDECIDED, Outcome.PASS).indexOf(of.outcome())));
        return new Soak(
                SCHEMA_VERSION,
                result.runId(),
                phase.name(),
                phase.figures().wall().toNanos() / 1e9,
                result.steady(),
                List.copyOf(drifts));
    }

    /** The figures that servers take and give back, and those of their queues; rates and pressures follow the load. */
    private static Set<String> reported(List<Interval> intervals, Plan plan) {
        Set<String> names = new TreeSet<>();
        intervals.forEach(of ->
                of.server().ifPresent(server -> names.addAll(server.values().keySet())));
        boolean chosen = plan.serverMetrics()
                .filter(metrics -> !metrics.choices().isEmpty())
                .isPresent();
        Set<String> judged = new TreeSet<>(names);
        judged.removeIf(name -> {
            String figure = name.substring(name.lastIndexOf('.') + 1);
            boolean twice = names.contains(name + ALL);
            return twice || !chosen && !JUDGED.contains(figure);
        });
        return judged;
    }

    /** The same slope in the figure's own unit, without a change of which it is certain that it grows. */
    private static Threshold absolute(Threshold relative, Plan plan) {
        Figure.Slope slope = (Figure.Slope) relative.figure();
        String unit = slope.of() instanceof Figure.Reported reported
                ? Figure.Reported.unit(reported.in(plan.serverFigures()).orElse(reported.name()))
                : slope.of() instanceof Figure.Time ? "ms" : slope.of() == Figure.Count.FAILURES ? "%" : "";
        return Threshold.parse(
                "%s: %s %s 0%s/h".formatted(relative.phase().orElseThrow(), slope, relative.operator(), unit));
    }

    private static Optional<Double> known(String name) {
        boolean whole = Stream.of(HostFigure.OPEN_FILES_SHARE, HostFigure.PORTS_SHARE, HostFigure.MEMORY)
                .anyMatch(figure -> name.equals(figure.toString()) || name.endsWith("." + figure));
        return whole ? Optional.of(ALL_PERCENT) : Optional.empty();
    }

    private static Optional<Double> level(List<Interval> intervals, String name) {
        return intervals.stream()
                .skip((long) (END * intervals.size()))
                .flatMap(of -> of.server().stream())
                .flatMap(of -> Optional.ofNullable(of.values().get(name)).stream())
                .min(Comparator.naturalOrder());
    }

    /** {@return indented JSON that ends in a line feed} */
    public String json() {
        return JsonFile.text(this);
    }

    /**
     * The judgement of the whole run.
     *
     * @return the most severe one of its figures
     */
    @JsonProperty
    public Outcome outcome() {
        return drifts.stream().map(Drift::outcome).anyMatch(Outcome.FAIL::equals)
                ? Outcome.FAIL
                : drifts.stream().map(Drift::outcome).allMatch(Outcome.PASS::equals) ? Outcome.PASS : Outcome.UNDECIDED;
    }
}
