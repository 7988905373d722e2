package io.phaseload.cli;

import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.schedule.Rate;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** From the lists of {@code sweep} to its steps. The load grows first, then parameters change. */
record SweepGrid(SweepOptions options) {

    private static final int MOST_TRIALS = 10_000;

    private static final String COUNTS =
            "counts such as 10,20,50, or a range such as 10..1000 x2 or 10..100 +10";

    private static final Pattern RANGE = Pattern.compile("([^.]+)\\.\\.(\\S+)\\s+([x+])(\\S+)");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

    /** Names that are known without a parameter. */
    private static final Set<String> KNOWN = Set.of("step", "trial");

    List<Step> steps() throws UsageException {
        List<String> threads = list("--threads", options.threads, SweepGrid::counts);
        List<String> rates = list("--rate", options.rate, SweepGrid::rates);
        List<String> durations = list("--duration", options.duration, SweepGrid::times);
        checkDurations(durations, threads, rates);
        Map<String, List<String>> parameters = parameters();
        long size = options.trials * (long) Math.max(1, threads.size()) * Math.max(1, rates.size());
        for (List<String> values : parameters.values()) {
            size = Math.min(Integer.MAX_VALUE, size * values.size());
        }
        if (size > MOST_TRIALS) {
            throw new UsageException(
                    "sweep: %d trials: expected at most %d".formatted(size, MOST_TRIALS));
        }
        List<Step> steps = new ArrayList<>();
        for (Map<String, String> point : product(parameters)) {
            addLoads(steps, point, threads, rates, durations);
        }
        return steps;
    }

    private static void addLoads(
            List<Step> steps,
            Map<String, String> point,
            List<String> threads,
            List<String> rates,
            List<String> durations) {
        for (int r = 0; r < Math.max(1, rates.size()); r++) {
            for (int t = 0; t < Math.max(1, threads.size()); t++) {
                Map<String, String> values = new LinkedHashMap<>();
                put(values, Step.THREADS, threads, t);
                put(values, Step.RATE, rates, r);
                put(values, Step.DURATION, durations, threads.size() > 1 ? t : r);
                values.putAll(point);
                steps.add(new Step(steps.size() + 1, values));
            }
        }
    }

    private static void put(Map<String, String> values, String name, List<String> list, int index) {
        if (!list.isEmpty()) {
            values.put(name, list.get(list.size() == 1 ? 0 : index));
        }
    }

    private void checkDurations(List<String> durations, List<String> threads, List<String> rates)
            throws UsageException {
        boolean byThreads = threads.size() > 1 || rates.size() <= 1;
        int loads = Math.max(1, byThreads ? threads.size() : rates.size());
        if (durations.size() > 1 && durations.size() != loads) {
            throw new UsageException(
                    "--duration %s: expected one time, or %d as %s has"
                            .formatted(
                                    options.duration, loads, byThreads ? "--threads" : "--rate"));
        }
    }

    private Map<String, List<String>> parameters() throws UsageException {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String param : options.params) {
            int equals = param.indexOf('=');
            String name = equals < 0 ? "" : param.substring(0, equals);
            if (!NAME.matcher(name).matches()) {
                throw new UsageException(
                        "--param " + param + ": expected name=a,b,c with letters, digits and _");
            }
            if (!TrialRows.isFree(name) || KNOWN.contains(name)) {
                throw new UsageException(
                        "--param " + param + ": expected another name: trials.csv has that column");
            }
            if (parameters.put(name, List.of(param.substring(equals + 1).split(",", -1))) != null) {
                throw new UsageException("--param " + param + ": expected each name once");
            }
        }
        return parameters;
    }

    /** The first parameter changes last. */
    private static List<Map<String, String>> product(Map<String, List<String>> parameters) {
        List<Map<String, String>> points = List.of(Map.of());
        for (Map.Entry<String, List<String>> parameter : parameters.entrySet()) {
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> point : points) {
                for (String value : parameter.getValue()) {
                    Map<String, String> extended = new LinkedHashMap<>(point);
                    extended.put(parameter.getKey(), value);
                    more.add(extended);
                }
            }
            points = more;
        }
        return points;
    }

    private static List<String> list(
            String option, String text, Function<String, List<String>> parse)
            throws UsageException {
        if (text == null) {
            return List.of();
        }
        List<String> values = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            values.addAll(
                    Checked.value(option, text, shown -> parse.apply(item.strip()), "a list"));
        }
        if (values.stream().distinct().count() < values.size() && !option.equals("--duration")) {
            throw new UsageException(option + " " + text + ": expected each value once");
        }
        return values;
    }

    private static List<String> counts(String item) {
        Matcher range = RANGE.matcher(item);
        try {
            if (!range.matches()) {
                return List.of(Long.toString(Quantities.parseCount(item, 1)));
            }
            long from = Quantities.parseCount(range.group(1), 1);
            long to = Quantities.parseCount(range.group(2), from);
            boolean times = range.group(3).equals("x");
            long by = Quantities.parseCount(range.group(4), times ? 2 : 1);
            return range(from, to, times, by);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("expected " + COUNTS, e);
        }
    }

    /** Its end is always among them. */
    private static List<String> range(long from, long to, boolean times, long by) {
        List<String> values = new ArrayList<>();
        for (long value = from; value < to; value = times ? value * by : value + by) {
            values.add(Long.toString(value));
            if (values.size() > MOST_TRIALS) {
                throw new IllegalArgumentException("expected fewer steps");
            }
        }
        values.add(Long.toString(to));
        return values;
    }

    private static List<String> rates(String item) {
        return List.of(Rate.parse(item).toString());
    }

    private static List<String> times(String item) {
        Quantities.parseDuration(item, false);
        return List.of(item);
    }
}
