package io.phaseload.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What was measured of one operation in one trial: a row of {@code trials.csv}.
 *
 * @param cells by column, as text; what isn't known is empty
 */
public record TrialRow(Map<String, String> cells) {

    static final String STEP = "step";
    static final String TRIAL = "trial";
    static final String OPERATION = "operation";
    static final String STATUS = "status";
    static final String REASON = "reason";
    static final String THREADS = "threads";
    static final String TOTAL_OPS = "total_ops";
    static final String OPS_PER_SECOND = "ops_per_second";
    static final String FAILED = "failed";
    static final String FAILED_PERCENT = "failed_percent";
    static final String WALL_S = "wall_s";
    static final String MEAN_MS = "mean_ms";
    static final String P50_MS = "p50_ms";
    static final String P95_MS = "p95_ms";
    static final String P99_MS = "p99_ms";
    static final String MAX_MS = "max_ms";
    static final String LITTLES_LAW = "littles_law";
    static final String VERDICT = "verdict";
    static final String THRESHOLDS = "thresholds";

    private static final String OK = "ok";

    /** Keeps the cells' order. */
    public TrialRow {
        cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
    }

    /**
     * A cell.
     *
     * @param column its name
     * @return its text; empty if there is none
     */
    public String text(String column) {
        return cells.getOrDefault(column, "");
    }

    /**
     * A cell as a number.
     *
     * @param column its name
     * @return empty if it isn't one
     */
    public OptionalDouble number(String column) {
        String text = text(column);
        try {
            double number = text.isEmpty() ? Double.NaN : Double.parseDouble(text);
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    int step() {
        return (int) number(STEP).orElse(0);
    }

    int trial() {
        return (int) number(TRIAL).orElse(0);
    }

    String operation() {
        return text(OPERATION);
    }

    /**
     * Whether it is of a trial.
     *
     * @param trial the trial
     * @return {@code true} for each of its operations
     */
    public boolean isOf(Trial trial) {
        return step() == trial.step().number() && trial() == trial.number();
    }

    /**
     * Whether its trial was measured.
     *
     * @return {@code false} for one that failed as a whole; failed requests are figures
     */
    public boolean isOk() {
        return text(STATUS).equals(OK);
    }

    /**
     * Whether no request of it succeeded.
     *
     * @return {@code false} if none was sent
     */
    public boolean allFailed() {
        return number(FAILED_PERCENT).orElse(0) == 100;
    }
}
