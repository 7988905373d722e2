package io.phaseload.report.text;

import io.phaseload.result.LatencyValue;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A result as text for people. The lines down to {@code P99 Latency} keep their wording, since
 * scripts read them; numbers are written alike in every locale.
 */
public final class TextReport {

    private TextReport() {}

    /**
     * The first line.
     *
     * @param startedAt when the run began
     * @return a line without its end
     */
    public static String startLine(Instant startedAt) {
        return "Client starting.... Time: " + startedAt.toEpochMilli();
    }

    /**
     * The line at a phase's start.
     *
     * @param phase the phase's name
     * @param threads how many users run it
     * @return a line without its end
     */
    public static String phaseStartLine(String phase, int threads) {
        return format("%s phase: All threads(%d) running....", title(phase), threads);
    }

    /**
     * The line at a phase's end.
     *
     * @param phase the phase's name
     * @param wall how long it took
     * @return a line without its end
     */
    public static String phaseEndLine(String phase, Duration wall) {
        return format("%s phase complete: Time %.3f seconds", title(phase), seconds(wall));
    }

    /**
     * The whole report.
     *
     * @param result of a run
     * @return lines that each end in a line feed
     */
    public static String write(Result result) {
        return write(result, TextTable.WIDE);
    }

    /**
     * The whole report, its tables folded where they would be wider.
     *
     * @param result of a run
     * @param columns as {@link TextTable#appendTo(StringBuilder, int)} takes them
     * @return lines that each end in a line feed
     */
    public static String write(Result result, int columns) {
        Lines out = new Lines();
        out.add(startLine(result.startedAt()));
        for (PhaseResult phase : result.phases()) {
            if (phase.startedAt() != null) {
                out.add(phaseStartLine(phase.name(), phase.threads()));
                out.add(phaseEndLine(phase.name(), phase.figures().wall()));
            }
        }
        return out + summary(result, columns);
    }

    /**
     * The report from {@code =====} on, without the lines that a run prints while it goes.
     *
     * @param result of a run
     * @return lines that each end in a line feed
     */
    public static String summary(Result result) {
        return summary(result, TextTable.WIDE);
    }

    /**
     * The same, its tables folded where they would be wider.
     *
     * @param result of a run
     * @param columns as {@link TextTable#appendTo(StringBuilder, int)} takes them
     * @return lines that each end in a line feed
     */
    public static String summary(Result result, int columns) {
        Lines out = new Lines(columns);
        out.add("=====");
        if (result.totals().allFailed()) {
            out.format("No request succeeded: all %d failed.", result.totals().requests());
            FailureLines.add(result, out);
            out.add("");
        }
        ContractLines.addTotals(result, out);
        out.add("");
        ContractLines.addMeasured(result, out);
        out.add("");
        SetUpLines.add(result, out);
        RequestLines.add(result, out);
        ConnectionLines.add(result, out);
        HealthLines.add(result, out);
        PhaseTables.add(result, out);
        if (!result.totals().allFailed()) {
            out.add("");
            FailureLines.add(result, out);
        }
        VerdictLines.add(result, out);
        return out.toString();
    }

    private static String title(String phase) {
        return phase.toUpperCase(Locale.ROOT);
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /**
     * A value of a distribution as every report writes it.
     *
     * @param value of the distribution
     * @return milliseconds to three places, or why there are none: {@code n/a}, {@code n too small}
     */
    public static String millis(LatencyValue value) {
        if (value instanceof LatencyValue.TooFewSamples few) {
            return few.samples() == 0 ? "n/a" : "n too small";
        }
        return format("%.3f", ((LatencyValue.Measured) value).time().toNanos() / 1e6);
    }
}
