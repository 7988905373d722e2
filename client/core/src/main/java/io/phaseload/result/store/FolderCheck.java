package io.phaseload.result.store;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.result.Figures;
import io.phaseload.result.json.ResultJson;
import io.phaseload.timing.Section;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.Verdict;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
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
    private static final List<String> TIMES = Timing.all().stream()
            .filter(timing -> timing.section().equals(Section.REQUESTS))
            .map(Timing::json)
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();

    private static final List<String> COUNTS = List.of(
            "requests", "succeeded", "failed", "responses", "bytesReceived", "reconnects", "resent", "censored");

    /** Counts by a status, a state or a cause. */
    private static final List<String> SEVERAL = List.of("statuses", "instances", "failures");

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
                Tally sum = Tallies.sum(read.intervals().stream()
                        .filter(interval -> interval.phase().equals(name))
                        .map(interval -> held.apply(interval).get(index))
                        .toList());
                JsonNode stored = phase.path(key).path(i);
                JsonNode own = ResultJson.tree(Figures.of(sum, Duration.ZERO));
                Optional<String> difference = mean(stored, own).or(() -> count(stored, own));
                if (difference.isPresent()) {
                    return Optional.of("%s differ from result.json: %s, %s: %s"
                            .formatted(FILES, name, names.get(i), difference.get()));
                }
            }
        }
        return Optional.empty();
    }

    /** Counts alone don't show that one timing's histogram was copied over another's. */
    private static Optional<String> mean(JsonNode stored, JsonNode own) {
        for (String time : TIMES) {
            double there = stored.path(time).path("meanMs").asDouble(0);
            double held = own.path(time).path("meanMs").asDouble(0);
            if (stored.path(time).path("meanMs").isNumber()
                    && Math.abs(held - there) > MEAN_TOLERANCE * there + LEAST_MS) {
                return Optional.of(
                        String.format(Locale.ROOT, "the mean of %s is %.6f ms there, %.6f ms here", time, there, held));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> count(JsonNode stored, JsonNode own) {
        List<String> counts = new ArrayList<>(COUNTS);
        TIMES.forEach(time -> counts.add(time + "/samples"));
        for (String several : SEVERAL) {
            own.path(several)
                    .propertyNames()
                    .forEach(key ->
                            counts.add(several + "/" + key.replace("~", "~0").replace("/", "~1")));
        }
        for (String count : counts) {
            JsonNode counted = stored.at("/" + count);
            int slash = count.indexOf('/');
            // Earlier versions didn't count everything; only causes may be missing otherwise.
            JsonNode known = slash < 0 ? counted : stored.path(count.substring(0, slash));
            long held = own.at("/" + count).asLong(0);
            if (!known.isMissingNode() && counted.asLong(0) != held) {
                return Optional.of("%s is %d there, %d here".formatted(count, counted.asLong(0), held));
            }
        }
        return Optional.empty();
    }
}
