package io.phaseload.sweep.trials;

import io.phaseload.plan.check.Figure;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The figures of one operation in one trial: a row of {@code trials.csv}.
 *
 * @param cells by column, as text; what isn't known is empty
 */
public record TrialRow(Map<String, String> cells) {

    /** The step's number. */
    public static final String STEP = "step";

    /** The trial's number within its step, from 1. */
    public static final String TRIAL = "trial";

    /** The operation's name. */
    public static final String OPERATION = "operation";

    /** Whether the trial was measured: {@code ok} or {@code failed}. */
    public static final String STATUS = "status";

    /** Why the trial failed as a whole. */
    public static final String REASON = "reason";

    /** How many users sent. */
    public static final String THREADS = "threads";

    /** How many requests were sent. */
    public static final String TOTAL_OPS = "total_ops";

    /** Requests per second. */
    public static final String OPS_PER_SECOND = "ops_per_second";

    /** How many requests failed. */
    public static final String FAILED = "failed";

    /** Failed requests as a percentage of all. */
    public static final String FAILED_PERCENT = "failed_percent";

    /** The measured time in seconds. */
    public static final String WALL_S = "wall_s";

    /** The mean of the response times in ms. */
    public static final String MEAN_MS = "mean_ms";

    /** The median of the response times in ms. */
    public static final String P50_MS = "p50_ms";

    /** The 95th percentile of the response times in ms. */
    public static final String P95_MS = "p95_ms";

    /** The 99th percentile of the response times in ms. */
    public static final String P99_MS = "p99_ms";

    /** The longest response time in ms. */
    public static final String MAX_MS = "max_ms";

    /** The times of events in streams that have columns. */
    public static final List<Timing> STREAM_TIMES =
            List.of(StreamTimings.FIRST_EVENT, StreamTimings.EVENT_GAP, StreamTimings.EVENT_DELIVERY);

    /** The statistics of the times of events in streams that have columns. */
    public static final Set<Figure.Statistic> STREAM_STATISTICS =
            EnumSet.of(Figure.Statistic.P50, Figure.Statistic.P95, Figure.Statistic.P99);

    /** The share of the users' time that requests account for, about 1. */
    public static final String LITTLES_LAW = "littles_law";

    /** The mean CPU use that servers reported while it was measured, as a percentage. */
    public static final String SERVER_CPU_PERCENT = "server_cpu_percent";

    /** The verdict on the trial's measurement. */
    public static final String VERDICT = "verdict";

    /** The ids of the verdict's reasons, with spaces between them. */
    public static final String VERDICT_REASONS = "verdict_reasons";

    /** Whether the trial's thresholds held. */
    public static final String THRESHOLDS = "thresholds";

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

    /**
     * The number of its step.
     *
     * @return from 1
     */
    public int step() {
        return (int) number(STEP).orElse(0);
    }

    /**
     * The number of its trial within the step.
     *
     * @return from 1
     */
    public int trial() {
        return (int) number(TRIAL).orElse(0);
    }

    /**
     * The operation's name.
     *
     * @return without secrets
     */
    public String operation() {
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
     * @return {@code false} if the trial failed as a whole; failed requests don't matter here
     */
    public boolean isOk() {
        return text(STATUS).equals(OK);
    }

    /**
     * Whether requests were sent, but none succeeded.
     *
     * @return {@code false} if none was sent
     */
    public boolean allFailed() {
        return number(FAILED_PERCENT).orElse(0) == 100;
    }

    /**
     * The column of a time other than the response time.
     *
     * @param of the time
     * @param statistic its statistic
     * @return such as {@code first_event_p95_ms}
     */
    public static String column(Timing of, Figure.Statistic statistic) {
        return of.toString().replace('-', '_') + "_" + statistic + "_ms";
    }
}
