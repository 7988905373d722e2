package io.phaseload.report.tables.runs;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.NaturalOrder;
import io.phaseload.report.tables.Operations;
import io.phaseload.schedule.Rate;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.SweepSummary.StepSummary;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.TrialRow;
import io.phaseload.verdict.rules.Wording;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values that vary between a sweep's steps, as axes of charts.
 *
 * @param names the names of the values that vary, in order
 * @param swept the number that charts have on their axis: the rate if that varies, otherwise threads, otherwise the
 *     first of the others whose values are all numbers
 * @param sizes that number by the value's text, unless it is a load
 * @param words for what was sent
 */
public record SweepAxes(List<String> names, Optional<String> swept, Map<String, Double> sizes, Wording words) {

    private static final List<String> LOADS = List.of(Step.RATE, Step.THREADS);

    /**
     * The axes of a sweep.
     *
     * @return its axes
     */
    public static SweepAxes of(SweepResult sweep) {
        List<Map<String, String>> all = sweep.steps().stream().map(Step::values).toList();
        List<String> names = all.stream()
                .map(Map::keySet)
                .flatMap(Collection::stream)
                .distinct()
                // A duration belongs to its load; it isn't an axis of its own.
                .filter(name -> !name.equals(Step.DURATION))
                .filter(name -> all.stream().map(of -> of.get(name)).distinct().count() > 1)
                .toList();
        Map<String, Double> sizes = new HashMap<>();
        Optional<String> load = LOADS.stream().filter(names::contains).findFirst();
        Optional<String> swept = load.or(() ->
                names.stream().filter(name -> areNumbers(all, name, sizes)).findFirst());
        Wording words = Wording.of(sweep.rows().stream()
                .filter(TrialRow::isOk)
                .map(row -> row.text("operation"))
                .toList());
        return new SweepAxes(names, swept, sizes, words);
    }

    /** Whether all values are numbers; then fills them in. */
    private static boolean areNumbers(List<Map<String, String>> all, String name, Map<String, Double> sizes) {
        List<String> values =
                all.stream().map(of -> of.getOrDefault(name, "")).distinct().toList();
        Optional<List<Double>> numbers = NaturalOrder.sizes(values);
        for (int i = 0; numbers.isPresent() && i < values.size(); i++) {
            sizes.put(values.get(i), numbers.get().get(i));
        }
        return numbers.isPresent();
    }

    /**
     * The number that is swept, of a step.
     *
     * @param of the step
     * @return its number; threads if no number is swept
     */
    public double load(StepSummary of) {
        String value = swept.map(of.step().values()::get).orElse("");
        if (swept.orElse("").equals(Step.RATE) && !value.isEmpty()) {
            return Rate.parse(value).perSecond();
        }
        return sizes.getOrDefault(value, (double) of.threads());
    }

    /**
     * The meaning of the swept number.
     *
     * @return its name
     */
    public String title() {
        return swept.map(name ->
                        name.equals(Step.RATE) ? words.text("[requests] per second that were asked for") : called(name))
                .orElse(called(Step.THREADS));
    }

    /** The common values of steps that differ only in the swept number. */
    String group(Step step) {
        return group(step.values());
    }

    /** The same for a group's values. */
    String group(Map<String, String> values) {
        return orAll(
                join(only(values, names.stream().filter(name -> !isSwept(name)).toList())));
    }

    private boolean isSwept(String name) {
        return swept.filter(name::equals).isPresent();
    }

    /** The axis of bars: the swept number, otherwise the first thing that varies. */
    private List<String> first() {
        return swept.map(List::of).orElse(names.subList(0, Math.min(1, names.size())));
    }

    /**
     * The axis of bars and heat maps.
     *
     * @param step a step
     * @return its value of what is swept, or of the first thing that varies; {@code (all)} if nothing varies
     */
    public String across(Step step) {
        return orAll(first().stream()
                .map(name -> step.values().getOrDefault(name, ""))
                .collect(Collectors.joining()));
    }

    /**
     * The unit of {@link #across}.
     *
     * @return its name; empty if nothing varies
     */
    public String acrossTitle() {
        return swept.isPresent() ? title() : String.join("", first());
    }

    /**
     * Everything else that varies.
     *
     * @param step a step
     * @return its values; {@code (all)} if there is nothing else
     */
    public String down(Step step) {
        List<String> first = first();
        return orAll(join(only(
                step.values(),
                names.stream().filter(name -> !first.contains(name)).toList())));
    }

    /**
     * The order of steps along the axes, one after another.
     *
     * @return numbers by size, other values as they were given
     */
    public static Comparator<Step> order(SweepResult sweep) {
        Comparator<Step> order = Comparator.comparing(step -> 0);
        SweepAxes axes = of(sweep);
        List<String> names = Stream.concat(axes.first().stream(), axes.names.stream())
                .distinct()
                .toList();
        for (String name : names) {
            List<String> values = sweep.steps().stream()
                    .map(step -> step.values().getOrDefault(name, ""))
                    .distinct()
                    .toList();
            List<String> sorted = NaturalOrder.sorted(values);
            order = order.thenComparing(step -> sorted.indexOf(step.values().getOrDefault(name, "")));
        }
        return order.thenComparing(Step::number);
    }

    /**
     * Everything that varies.
     *
     * @param step a step
     * @return its values; empty if nothing varies
     */
    public String text(Step step) {
        return join(only(step.values(), names));
    }

    private static Map<String, String> only(Map<String, String> values, List<String> names) {
        Map<String, String> some = new LinkedHashMap<>(values);
        some.keySet().retainAll(names);
        return some;
    }

    /**
     * The name of a varying value.
     *
     * @param name one of a step's values
     * @return the run's word for threads; other names as they are
     */
    public String called(String name) {
        return name.equals(Step.THREADS) ? words.heading(name) : name;
    }

    /**
     * A figure of {@code trials.csv}, with its name for people.
     *
     * @param figure its column there
     * @return a column of numbers, in the run's words
     */
    public Column column(String figure) {
        Column plain = SweepTables.column(figure);
        return new Column(plain.name(), words.heading(plain.title()), words.heading(plain.unit()), plain.decimals());
    }

    private String join(Map<String, String> values) {
        return values.entrySet().stream()
                .map(value -> called(value.getKey()) + "=" + value.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String orAll(String text) {
        return text.isEmpty() ? Operations.ALL : text;
    }
}
