package io.phaseload.cli.sweep;

import io.phaseload.cli.command.Checked;
import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.options.ValueException;
import io.phaseload.schedule.Rate;
import io.phaseload.sweep.Grid;
import io.phaseload.sweep.trials.Step;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes the grid of a sweep from its lists. */
record SweepGrid(SweepOptions options) {

    private static final String COUNTS = "counts such as 10,20,50, or a range such as 10..1000 x2 or 10..100 +10";

    private static final Pattern RANGE = Pattern.compile("([^.]+)\\.\\.(\\S+)\\s+([x+])(\\S+)");

    private static final String SOME_RATES =
            "rates such as 500/s,1.5k/s, or a range such as 50/s..800/s x2 or 0.5/s..2/s +0.5/s";

    private static final String NUMBER = "([0-9]{1,10}(?:\\.[0-9]{1,6})?)([km]?)";

    /** Both ends, and what is added, are in the same unit of time. */
    private static final Pattern RATES = Pattern.compile(NUMBER + "/([smh])\\.\\." + NUMBER
            + "/\\3\\s+(?:x([0-9]{1,4}(?:\\.[0-9]{1,6})?)|\\+" + NUMBER + "(?:/\\3)?)");

    /** As many as a rate may have. */
    private static final int DECIMALS = 6;

    Grid grid() {
        List<String> threads = list("--threads", options.threads, SweepGrid::counts);
        List<String> rates = list("--rate", options.rate, SweepGrid::rates);
        List<String> durations = list("--duration", options.duration, SweepGrid::times);
        boolean byThreads = threads.size() > 1 || rates.size() <= 1;
        int loads = Math.max(1, byThreads ? threads.size() : rates.size());
        if (durations.size() > 1 && durations.size() != loads) {
            throw new UsageException("--duration %s: expected one time, or %d, one for each of %s"
                    .formatted(options.duration, loads, byThreads ? "--threads" : "--rate"));
        }
        Grid grid = new Grid();
        options.params.forEach(param -> addParameter(grid, param));
        addLoad(grid, Step.RATE, rates, byThreads ? List.of() : durations);
        addLoad(grid, Step.THREADS, threads, byThreads ? durations : List.of());
        return grid;
    }

    private static void addParameter(Grid grid, String param) {
        String name = name(param);
        List<String> values = List.of(param.substring(name.length() + 1).split(",", -1));
        Checked.value("--param", param, shown -> grid.vary(name, values), "name=a,b,c");
    }

    private static String name(String param) {
        int equals = param.indexOf('=');
        UsageException.throwIf(equals < 1, "--param %s: expected name=a,b,c with letters, digits and _", param);
        return param.substring(0, equals);
    }

    /** The names of all parameters. */
    Set<String> parameters() {
        return options.params.stream().map(SweepGrid::name).collect(Collectors.toSet());
    }

    /** Refuses a parameter that changes nothing. */
    void checkUsed(Set<String> used) {
        for (String param : options.params) {
            if (!used.contains(name(param))) {
                throw new UsageException("--param %s: expected {%s} in an option or in the plan", param, name(param));
            }
        }
    }

    /** Each load with its duration, if there are durations. */
    private static void addLoad(Grid grid, String name, List<String> values, List<String> durations) {
        List<Map<String, String>> points = new ArrayList<>();
        for (int i = 0; i < Math.max(values.size(), Math.min(1, durations.size())); i++) {
            Map<String, String> point = new LinkedHashMap<>();
            if (!values.isEmpty()) {
                point.put(name, values.get(i));
            }
            if (!durations.isEmpty()) {
                point.put(Step.DURATION, durations.get(durations.size() == 1 ? 0 : i));
            }
            points.add(point);
        }
        if (!points.isEmpty()) {
            grid.load(points);
        }
    }

    private static List<String> list(String option, String text, Function<String, List<String>> parse) {
        if (text == null) {
            return List.of();
        }
        List<String> values = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            values.addAll(Checked.value(option, text, shown -> parse.apply(item.strip()), "a list"));
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
            BigDecimal step = BigDecimal.valueOf(by);
            return range(
                    BigDecimal.valueOf(from),
                    BigDecimal.valueOf(to),
                    value -> times ? value.multiply(step) : value.add(step));
        } catch (IllegalArgumentException e) {
            throw new ValueException("", COUNTS, e);
        }
    }

    /** Always includes the end. */
    private static List<String> range(BigDecimal from, BigDecimal to, UnaryOperator<BigDecimal> next) {
        if (to.compareTo(from) < 0 || next.apply(from).compareTo(from) <= 0) {
            throw new ValueException("a range that grows");
        }
        List<String> values = new ArrayList<>();
        for (BigDecimal value = from; value.compareTo(to) < 0; value = next.apply(value)) {
            values.add(value.toPlainString());
            if (values.size() > Grid.MOST_TRIALS) {
                throw new ValueException("fewer steps");
            }
        }
        values.add(to.toPlainString());
        return values;
    }

    private static List<String> rates(String item) {
        Matcher range = RATES.matcher(item);
        try {
            if (!range.matches()) {
                return List.of(Rate.parse(item).toString());
            }
            UnaryOperator<BigDecimal> next = range.group(6) == null
                    ? value -> value.add(number(range, 7))
                    : value -> value.multiply(new BigDecimal(range.group(6))).setScale(DECIMALS, RoundingMode.HALF_UP);
            return range(number(range, 1), number(range, 4), next).stream()
                    .map(events -> Rate.parse(events + "/" + range.group(3)).toString())
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new ValueException("", SOME_RATES, e);
        }
    }

    private static BigDecimal number(Matcher range, int group) {
        int zeros =
                switch (range.group(group + 1)) {
                    case "k" -> 3;
                    case "m" -> 6;
                    default -> 0;
                };
        return new BigDecimal(range.group(group)).scaleByPowerOfTen(zeros);
    }

    private static List<String> times(String item) {
        Quantities.parseDuration(item, false);
        return List.of(item);
    }
}
