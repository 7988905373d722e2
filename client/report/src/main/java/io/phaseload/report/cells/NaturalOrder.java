package io.phaseload.report.cells;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The order of a grid's values that people expect on an axis: 1, 10, 1000, 10000. */
public final class NaturalOrder {

    private static final Pattern NUMBER = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-z]*)(/[a-z]+)?");

    private static final Map<String, Double> COUNTS = Map.of("", 1.0, "k", 1e3, "m", 1e6, "g", 1e9);

    private static final Map<String, Double> TIMES = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3_600.0);

    private NaturalOrder() {}

    /** By size if all of them are counts, rates or times; otherwise in the given order. */
    public static List<String> sorted(List<String> values) {
        Optional<List<Double>> sizes = sizes(values);
        return sizes.isEmpty()
                ? values
                : IntStream.range(0, values.size())
                        .boxed()
                        .sorted(Comparator.comparing(sizes.get()::get))
                        .map(values::get)
                        .toList();
    }

    /** The sizes of values in the given order; empty unless all of them are counts, rates or times. */
    public static Optional<List<Double>> sizes(List<String> values) {
        return Stream.of(COUNTS, TIMES)
                .map(units -> values.stream().map(value -> size(value, units)).toList())
                .filter(sizes -> sizes.stream().noneMatch(size -> size.isNaN()))
                .findFirst();
    }

    private static double size(String value, Map<String, Double> units) {
        Matcher matcher = NUMBER.matcher(value.strip().toLowerCase(Locale.ROOT));
        return matcher.matches()
                ? Double.parseDouble(matcher.group(1)) * units.getOrDefault(matcher.group(2), Double.NaN)
                : Double.NaN;
    }
}
