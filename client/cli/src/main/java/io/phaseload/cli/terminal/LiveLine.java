package io.phaseload.cli.terminal;

import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.run.RunListener.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The progress of a phase in one line: its place among all phases, its figures, and the time left for it and for the
 * run.
 *
 * @param phases all of the run, in order
 */
record LiveLine(List<Phase> phases) {

    /** The line; parts at its end are left out if they don't fit. */
    String of(Progress progress, int columns) {
        int place = phases.indexOf(progress.phase());
        double left = left(progress);
        StringBuilder line = new StringBuilder(progress.phase().name());
        if (phases.size() > 1) {
            line.append(format(" %d of %d", place + 1, phases.size()));
        }
        List<String> parts = List.of(
                format(" %3.0f %%", progress.done() * 100),
                format("  %,.0f rps", progress.requestsPerSecond()),
                format("  p99 %.1f ms", progress.p99().toNanos() / 1e6),
                format("  failed %d", progress.failed()),
                "  " + time(left) + " left",
                inAll(place, left, progress));
        for (String part : parts) {
            if (line.length() + part.length() > columns) {
                break;
            }
            line.append(part);
        }
        return line.length() <= columns ? line.toString() : line.substring(0, columns);
    }

    private static double left(Progress progress) {
        return progress.done() > 0 ? progress.elapsed().toNanos() / 1e9 * (1 / progress.done() - 1) : Double.NaN;
    }

    private String inAll(int place, double left, Progress progress) {
        if (place < 0 || place == phases.size() - 1) {
            return "";
        }
        double all = left;
        for (Phase later : phases.subList(place + 1, phases.size())) {
            all += seconds(later, progress);
        }
        return Double.isNaN(all) ? "" : ", " + time(all) + " in all";
    }

    /** Its duration; if it is given in iterations, estimated from those of the current phase. */
    private static double seconds(Phase later, Progress now) {
        if (later.length() instanceof PhaseLength.Lasting timed) {
            return seconds(timed.duration());
        }
        if (now.phase().length() instanceof PhaseLength.Iterations these
                && later.length() instanceof PhaseLength.Iterations those) {
            double whole = seconds(now.elapsed()) / now.done();
            return whole * those.perUser() / these.perUser();
        }
        return Double.NaN;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String time(double seconds) {
        if (Double.isNaN(seconds) || Double.isInfinite(seconds)) {
            return "?";
        }
        long whole = Math.round(seconds);
        if (whole < 120) {
            return whole + " s";
        }
        return whole < 7200 ? format("%d min", whole / 60) : format("%d h", whole / 3600);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
