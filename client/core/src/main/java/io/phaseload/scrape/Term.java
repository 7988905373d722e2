package io.phaseload.scrape;

import io.phaseload.plan.check.Series;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A number that two pages of one server tell, the second one read later; NaN if they don't. What a sum lacks makes it
 * NaN, too.
 */
@FunctionalInterface
interface Term {

    double of(Metrics before, Metrics now);

    /** What there is now, of all series of a metric. */
    static Term now(String metric) {
        return now(metric, any -> true);
    }

    /** What there is now. */
    static Term now(String metric, Predicate<Series> wanted) {
        return (before, now) -> now.sum(metric, wanted);
    }

    /** How fast a counter grows per second, in all series of a metric. */
    static Term rate(String metric) {
        return rate(metric, any -> true);
    }

    /**
     * How fast a counter grows per second; NaN if it goes backwards. One that wasn't there before began with nothing:
     * many exporters tell it only then.
     */
    static Term rate(String metric, Predicate<Series> wanted) {
        return (before, now) -> {
            double earlier = before.sum(metric, wanted);
            double increase = now.sum(metric, wanted) - (Double.isNaN(earlier) ? 0 : earlier);
            double seconds = now.seconds() - before.seconds();
            return increase < 0 || seconds <= 0 ? Double.NaN : increase / seconds;
        };
    }

    /** The highest that the term comes to for the series of one value of a label. */
    static Term most(String metric, String label, Function of) {
        return (before, now) -> now.values(metric, label).stream()
                .mapToDouble(value -> of.of(series -> is(series, label, value)).of(before, now))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /** A term for some of a metric's series. */
    @FunctionalInterface
    interface Function {

        Term of(Predicate<Series> wanted);
    }

    /** Series with one of these values. */
    static Predicate<Series> with(String label, String... values) {
        Set<String> wanted = Set.of(values);
        return series -> wanted.contains(series.labels().getOrDefault(label, ""));
    }

    private static boolean is(Series series, String label, String value) {
        return series.labels().getOrDefault(label, "").equals(value);
    }

    default Term times(double factor) {
        return (before, now) -> factor * of(before, now);
    }

    default Term plus(Term other) {
        return (before, now) -> of(before, now) + other.of(before, now);
    }

    default Term minus(Term other) {
        return (before, now) -> of(before, now) - other.of(before, now);
    }

    /** NaN for 0 of 0. */
    default Term per(Term other) {
        return (before, now) -> of(before, now) / other.of(before, now);
    }
}
