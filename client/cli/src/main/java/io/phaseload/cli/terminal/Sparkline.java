package io.phaseload.cli.terminal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** The last values of a figure as one line: its name, its last value, and a bar for each. Called by one thread. */
final class Sparkline {

    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String PLAIN = "_.-:=+*#";

    /** No terminal is wider. */
    private static final int MOST = 1_000;

    private final String name;
    private final String unit;
    private final String bars;
    private final Deque<Double> values = new ArrayDeque<>();

    /**
     * A line without values.
     *
     * @param blocks false if the terminal's encoding has none
     */
    Sparkline(String name, String unit, boolean blocks) {
        this.name = name;
        this.unit = unit;
        this.bars = blocks ? BLOCKS : PLAIN;
    }

    void add(double value) {
        values.addLast(value);
        if (values.size() > MOST) {
            values.removeFirst();
        }
    }

    /** The line; the highest value that is shown has the highest bar. */
    String text(int columns) {
        if (values.isEmpty()) {
            return name;
        }
        double last = values.getLast();
        StringBuilder text = new StringBuilder(
                String.format(Locale.ROOT, last < 100 ? "%-10s %,9.1f%-3s  " : "%-10s %,9.0f%-3s  ", name, last, unit));
        double[] shown = values.stream()
                .skip(Math.max(0, values.size() - Math.max(0, columns - text.length())))
                .mapToDouble(Double::doubleValue)
                .toArray();
        double most = 0;
        for (double value : shown) {
            most = Math.max(most, value);
        }
        for (double value : shown) {
            int height = most == 0 ? 0 : (int) Math.round(value / most * (bars.length() - 1));
            text.append(bars.charAt(height));
        }
        return text.toString();
    }
}
