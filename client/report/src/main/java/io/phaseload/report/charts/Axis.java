package io.phaseload.report.charts;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * An axis of a chart that is drawn here, as those of the Vega-Lite files are.
 *
 * @param from the least number on it
 * @param to the greatest one
 * @param logarithmic true if equal distances are equal factors; then both are above 0
 */
public record Axis(String title, double from, double to, boolean logarithmic, Map<Double, String> ticks) {

    private static final int MOST_TICKS = 8;
    /** A part of an axis from 0 is above the greatest number. */
    public static final double HEADROOM = 1.08;

    private static final double[] STEPS = {1, 2, 5};
    private static final double[] DIGITS = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    private static final double[] POWERS = {1};
    private static final int LEAST_TICKS = 2;
    private static final int[] SECONDS = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400
    };

    /** A factor between the least and the greatest number that asks for a logarithmic axis. */
    private static final double WIDE = 10;

    /** The part of an axis that a label needs. */
    private static final double LABEL = 0.04;

    /**
     * From 0 to a bit more than the greatest of some numbers.
     *
     * @param numbers those shown; those that aren't finite are left out
     * @return an axis without a title
     */
    public static Axis fromZero(DoubleStream numbers) {
        double to = HEADROOM * numbers.filter(Double::isFinite).max().orElse(0);
        if (to == 0) {
            return fromZero(DoubleStream.of(1));
        }
        return new Axis("", 0, to, false, rounds(0, to));
    }

    /** Multiples of 1, 2 or 5 in a range. */
    private static Map<Double, String> rounds(double from, double to) {
        double power = Math.pow(10, Math.floor(Math.log10(to - from)) - 1);
        double step = power;
        for (int i = 0; (to - from) / step > MOST_TICKS; i++) {
            step = power * Math.pow(10, i / STEPS.length) * STEPS[i % STEPS.length];
        }
        Map<Double, String> ticks = new TreeMap<>();
        for (long i = (long) Math.ceil(from / step); i * step <= to; i++) {
            ticks.put(i * step, text(i * step));
        }
        return ticks;
    }

    /**
     * A logarithmic one around some numbers.
     *
     * @param numbers those shown, at least one of which is above 0; others are left out
     * @return an axis without a title
     */
    public static Axis logarithmic(DoubleStream numbers) {
        double[] shown =
                numbers.filter(of -> of > 0 && of < Double.MAX_VALUE).sorted().toArray();
        double from = shown[0] / HEADROOM;
        double to = shown[shown.length - 1] * HEADROOM;
        Map<Double, String> ticks = powers(from, to, to / from > 1_000 ? POWERS : STEPS);
        if (ticks.size() < LEAST_TICKS) {
            ticks = powers(from, to, DIGITS);
        }
        return new Axis("", from, to, true, ticks.size() < LEAST_TICKS ? rounds(from, to) : ticks);
    }

    private static Map<Double, String> powers(double from, double to, double[] steps) {
        Map<Double, String> ticks = new TreeMap<>();
        for (int power = (int) Math.floor(Math.log10(from)); Math.pow(10, power) <= to; power++) {
            for (double step : steps) {
                double at = step * Math.pow(10, power);
                if (at >= from && at <= to) {
                    ticks.put(at, text(at));
                }
            }
        }
        return ticks;
    }

    /**
     * Of percentiles, by 1/(1 − p).
     *
     * @param oneIn in how many requests one is beyond it, from 1
     * @return a logarithmic axis
     */
    public static Axis percentiles(double[] oneIn) {
        double to = DoubleStream.of(oneIn).max().orElse(1);
        Map<Double, String> ticks = new TreeMap<>(Map.of(1.0, "0 %", 2.0, "50 %"));
        for (double at = 10; at <= HEADROOM * to; at *= 10) {
            ticks.put(at, text(100 - 100 / at) + " %");
        }
        ticks.keySet().removeIf(at -> at > HEADROOM * to);
        return new Axis("percentile", 1, HEADROOM * to, true, ticks);
    }

    /**
     * Seconds since a run's start.
     *
     * @param from the first
     * @param to the last
     * @return an axis of minutes and seconds
     */
    public static Axis time(double from, double to) {
        return time("time since the start (min:s)", from, to);
    }

    /**
     * Seconds since something.
     *
     * @param title since what
     * @param from the first
     * @param to the last
     * @return an axis of minutes and seconds
     */
    public static Axis time(String title, double from, double to) {
        int step = SECONDS[0];
        for (int i = 0; i < SECONDS.length && (to - from) / step > 2 * MOST_TICKS; i++) {
            step = SECONDS[i];
        }
        Map<Double, String> ticks = new TreeMap<>();
        for (long at = (long) Math.ceil(from / step) * step; at <= to; at += step) {
            ticks.put((double) at, String.format(Locale.ROOT, "%d:%02d", at / 60, at % 60));
        }
        return new Axis(title, from, to, false, ticks);
    }

    /**
     * The numbers that a sweep went through, logarithmic if they span much.
     *
     * @param numbers at least one
     * @return an axis with a label for each, as far as there is room
     */
    public static Axis steps(String title, double[] numbers) {
        double from = DoubleStream.of(numbers).min().orElseThrow();
        double to = DoubleStream.of(numbers).max().orElseThrow();
        Axis bare = new Axis(title, from, to, from > 0 && to >= WIDE * from, Map.of());
        Map<Double, String> ticks = new TreeMap<>();
        double last = Double.NEGATIVE_INFINITY;
        for (double at : DoubleStream.of(numbers).distinct().sorted().toArray()) {
            if (bare.place(at) - last > LABEL) {
                ticks.put(at, text(at));
                last = bare.place(at);
            }
        }
        return new Axis(title, from, to, bare.logarithmic(), ticks);
    }

    /**
     * Names in a row, each in the middle of a distance of 1.
     *
     * @param names from left to right
     * @return an axis without a title
     */
    public static Axis names(List<String> names) {
        Map<Double, String> ticks = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            ticks.put(i + 0.5, names.get(i));
        }
        return new Axis("", 0, names.size(), false, ticks);
    }

    /**
     * This axis with another title.
     *
     * @param what is on it
     * @return a copy
     */
    public Axis titled(String what) {
        return new Axis(what, from, to, logarithmic, ticks);
    }

    /**
     * Where a number is.
     *
     * @param number any
     * @return 0 at the start, 1 at the end, and between them
     */
    public double place(double number) {
        if (from == to) {
            return 0.5;
        }
        double part = logarithmic
                ? Math.log(Math.max(from, number) / from) / Math.log(to / from)
                : (number - from) / (to - from);
        return Math.min(1, Math.max(0, part));
    }

    private static String text(double number) {
        BigDecimal plain = BigDecimal.valueOf(number).round(new MathContext(9)).stripTrailingZeros();
        return String.format(Locale.ROOT, "%,." + Math.max(0, plain.scale()) + "f", plain);
    }
}
