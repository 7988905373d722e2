package io.phaseload.result.store;

import io.phaseload.measure.Counters;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.stats.Moments;
import io.phaseload.timing.Section;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Checks that {@code intervals.csv} and {@code latency.hlog} hold everything that {@code result.json} counts.
 *
 * @param plan of the run
 * @param json the whole of {@code result.json}
 * @param read the contents of the two other files
 */
record FolderCheck(Plan plan, JsonNode json, IntervalReader.Read read) {

    private static final String FILES = "intervals.csv and latency.hlog";

    /** Histograms have three digits, and a merged one rounds again. */
    private static final double MEAN_TOLERANCE = 0.002;

    /** Times in {@code result.json} are rounded to a nanosecond. */
    private static final double LEAST_MS = 0.000_002;

    /** The times of every request by their names in {@code result.json}. */
    private static final Map<String, Timing> TIMES = Timing.all().stream()
            .filter(timing ->
                    timing.section().equals(Section.REQUESTS) && !timing.json().isEmpty())
            .collect(Collectors.toMap(Timing::json, Function.identity(), (one, other) -> one, LinkedHashMap::new));

    /** A killed run only has what was written before. */
    static boolean isFinished(JsonNode json) {
        return !json.path("phases").isEmpty();
    }

    /** VALID if nothing is missing, SUSPECT for a run that was killed, else INVALID. */
    Verdict verdict() {
        if (!isFinished(json)) {
            return Verdict.VALID.and(Rule.UNFINISHED.finding(Wording.REQUESTS, FILES));
        }
        long held = read.intervals().stream()
                .flatMap(interval -> interval.operations().stream())
                .mapToLong(Tally::requests)
                .sum();
        long counted = json.at("/totals/requests").asLong(0);
        if (held != counted) {
            return incomplete("%s hold %d of the %d requests in result.json%s"
                    .formatted(
                            FILES,
                            held,
                            counted,
                            read.gap().map(gap -> ": " + gap).orElse("")));
        }
        return read.gap().or(this::difference).map(gap -> incomplete(gap)).orElse(Verdict.VALID);
    }

    private static Verdict incomplete(String what) {
        return Verdict.VALID.and(Rule.INCOMPLETE.finding(Wording.REQUESTS, what));
    }

    private Optional<String> difference() {
        return difference("operations", Operation.namesInResult(plan.scenario().operations()), Interval::operations)
                .or(() -> difference("journeys", plan.scenario().timed(), Interval::journeys));
    }

    private Optional<String> difference(String key, List<String> names, Function<Interval, List<Tally>> held) {
        for (JsonNode phase : json.path("phases")) {
            String name = phase.path("name").asString();
            for (int i = 0; i < names.size(); i++) {
                int index = i;
                List<Tally> tallies = read.intervals().stream()
                        .filter(interval -> interval.phase().equals(name))
                        .map(interval -> held.apply(interval).get(index))
                        .toList();
                Map<String, Long> own = counts(tallies);
                JsonNode stored = phase.path(key).path(i);
                Optional<String> mean = mean(stored, tallies);
                if (mean.isPresent()) {
                    return Optional.of(
                            "%s differ from result.json: %s, %s: %s".formatted(FILES, name, names.get(i), mean.get()));
                }
                for (Map.Entry<String, Long> count : own.entrySet()) {
                    String at = count.getKey();
                    JsonNode counted = stored.at(at);
                    int last = at.lastIndexOf('/');
                    // Earlier versions didn't count everything; only causes may be missing
                    // otherwise.
                    JsonNode known = last == 0 ? counted : stored.at(at.substring(0, last));
                    if (!known.isMissingNode() && counted.asLong(0) != count.getValue()) {
                        return Optional.of("%s differ from result.json: %s, %s: %s is %d there, %d here"
                                .formatted(
                                        FILES,
                                        name,
                                        names.get(i),
                                        at.substring(1),
                                        counted.asLong(0),
                                        count.getValue()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Counts alone don't show that one timing's histogram was copied over another's. */
    private static Optional<String> mean(JsonNode stored, List<Tally> tallies) {
        for (Map.Entry<String, Timing> time : TIMES.entrySet()) {
            JsonNode told = stored.path(time.getKey()).path("meanMs");
            if (!told.isNumber()) {
                continue;
            }
            double sum = 0;
            long count = 0;
            for (Tally tally : tallies) {
                long own = tally.count(time.getValue());
                if (own > 0) {
                    sum += Moments.mean(tally.histogram(time.getValue())) * own;
                    count += own;
                }
            }
            double held = count == 0 ? 0 : sum / count / 1e6;
            if (Math.abs(held - told.asDouble()) > MEAN_TOLERANCE * told.asDouble() + LEAST_MS) {
                return Optional.of(String.format(
                        Locale.ROOT,
                        "the mean of %s is %.6f ms there, %.6f ms here",
                        time.getKey(),
                        told.asDouble(),
                        held));
            }
        }
        return Optional.empty();
    }

    /** By where they are in an operation of {@code result.json}. */
    private static Map<String, Long> counts(List<Tally> tallies) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Tally tally : tallies) {
            Counters counters = tally.counters();
            counts.merge("/requests", tally.requests(), Long::sum);
            counts.merge("/succeeded", tally.succeeded(), Long::sum);
            counts.merge("/failed", tally.failed(), Long::sum);
            counts.merge("/responses", counters.responses(), Long::sum);
            counts.merge("/bytesReceived", counters.bytesReceived(), Long::sum);
            counts.merge("/reconnects", counters.reconnects(), Long::sum);
            counts.merge("/resent", counters.resent(), Long::sum);
            counts.merge("/censored", counters.censored(), Long::sum);
            TIMES.forEach((name, timing) -> counts.merge("/" + name + "/samples", tally.count(timing), Long::sum));
            counters.statuses().forEach((status, n) -> counts.merge("/statuses/" + status, n, Long::sum));
            counters.instances()
                    .forEach((state, n) ->
                            counts.merge("/instances/" + state.name().toLowerCase(Locale.ROOT), n, Long::sum));
            tally.causes()
                    .forEach((cause, of) -> counts.merge(
                            "/failures/" + cause.replace("~", "~0").replace("/", "~1"), of.count(), Long::sum));
        }
        return counts;
    }
}
