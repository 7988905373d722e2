package io.phaseload.report.text;

import io.phaseload.result.Figures;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What became of requests, in words that all reports share. */
public final class ResponseText {

    private static final String[] UNITS = {"kB", "MB", "GB", "TB"};

    private ResponseText() {}

    /**
     * How many requests a second succeeded, and how many failed.
     *
     * @param figures of a run or of a part of it
     * @return such as {@code 652.17 rps succeeded, 3.20 rps failed}
     */
    public static String outcomes(Figures figures) {
        return String.format(
                Locale.ROOT,
                "%.2f rps succeeded, %.2f rps failed",
                figures.succeededPerSecond(),
                figures.failedPerSecond());
    }

    /**
     * The status codes, and how often each came.
     *
     * @param figures of a run
     * @return such as {@code 200: 7391, 503: 9}; empty if no response came
     */
    public static String statuses(Figures figures) {
        return figures.statuses().entrySet().stream()
                .map(status -> status.getKey() + ": " + status.getValue())
                .collect(Collectors.joining(", "));
    }

    /**
     * Says that redirects weren't followed.
     *
     * @param figures of a run
     * @return a sentence; empty if none came
     */
    public static String redirects(Figures figures) {
        Map<Integer, Long> redirects = figures.redirects();
        if (redirects.isEmpty()) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "Redirects not followed: %d (%s).",
                redirects.values().stream().mapToLong(Long::longValue).sum(),
                redirects.keySet().stream()
                        .map(Object::toString)
                        .collect(Collectors.joining(", ")));
    }

    /**
     * What was received.
     *
     * @param figures of a run or of a part of it
     * @return such as {@code 1.480 MB, 80.465 kB/s}
     */
    public static String received(Figures figures) {
        return bytes(figures.bytesReceived())
                + ", "
                + bytes(figures.bytesReceivedPerSecond())
                + "/s";
    }

    private static String bytes(double count) {
        if (count < 1_000) {
            return String.format(Locale.ROOT, "%.0f B", count);
        }
        int unit = 0;
        double scaled = count / 1_000;
        while (scaled >= 999.9995 && unit < UNITS.length - 1) {
            scaled /= 1_000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.3f %s", scaled, UNITS[unit]);
    }

    /**
     * Says what became of requests on connections that the server had closed.
     *
     * @param figures of a run
     * @return a sentence; empty if none was sent again
     */
    public static String resent(Figures figures) {
        return figures.resent() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "Sent again, since the server had closed the idle connection: %d; the"
                                + " server may have counted as many more.",
                        figures.resent());
    }
}
