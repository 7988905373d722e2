package io.phaseload.audit;

import io.phaseload.audit.Check.Outcome;
import io.phaseload.audit.ForeignFormat.Sending;
import io.phaseload.audit.ForeignRun.Part;
import io.phaseload.stats.LittlesLaw;
import io.phaseload.stats.QuantileRanks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The checks of a result. */
final class Checks {

    /** Users that wait for more of their time than this have no pause left that a faster service wouldn't use. */
    private static final double AT_LIMIT = 1 - LittlesLaw.TOLERANCE;

    /** Less than a quarter is within what runs of the same load differ by. */
    private static final double CORRECTED = 1.25;

    /** Of that many requests left out, a p99 could be another one. */
    private static final double OMITTED = 0.01;

    /** Of exponential times, one in 22,000 takes ten times the mean. */
    private static final double STALL = 10;

    /** Of fewer seconds, the usual one isn't known. */
    private static final double SHORT = 10;

    /** A mean of percentiles is recognised only where the parts differ by more than rounding. */
    private static final double PARTS_DIFFER = 1.05;

    private static final double ROUNDING = 0.002;
    private static final double HALF = 50;

    private static final String NO_USERS =
            "The file has no number of users or connections: expected --users, if it is known.";

    private final ForeignRun run;

    Checks(ForeignRun run) {
        this.run = run;
    }

    List<Check> all() {
        return List.of(consistency(), littlesLaw(), percentiles(), omission(), usersLimit(), averaged(), failures());
    }

    private static Check check(String id, Outcome outcome, String advice, String text, Object... values) {
        return new Check(id, outcome, String.format(Locale.ROOT, text, values), advice);
    }

    private Check consistency() {
        ForeignTimes times = run.times();
        double[] rising = DoubleStream.concat(
                        DoubleStream.of(times.min()),
                        DoubleStream.concat(
                                times.percentiles().values().stream().mapToDouble(Double::doubleValue),
                                DoubleStream.of(times.max())))
                .filter(Double::isFinite)
                .toArray();
        boolean wrong = times.mean() < times.min() || times.mean() > times.max() || run.failed() > run.requests();
        for (int i = 1; i < rising.length; i++) {
            // Some tools round percentiles, and not the extremes.
            wrong |= rising[i] < rising[i - 1] * (1 - HALF / 1e3) - 1;
        }
        return wrong
                ? check(
                        "consistency",
                        Outcome.WRONG,
                        "The file was edited, or merged from several.",
                        "Minimum, mean, percentiles and maximum aren't in this order, or more failed than were sent.")
                : check("consistency", Outcome.PASSED, "", "The figures don't contradict one another.");
    }

    private Check littlesLaw() {
        String id = "littles-law";
        if (!Double.isFinite(run.waiting())) {
            return check(id, Outcome.UNKNOWN, "", "The file lacks the mean response time, or the length of the run.");
        }
        if (Double.isNaN(run.users())) {
            return check(
                    id,
                    Outcome.UNKNOWN,
                    run.format().sending() == Sending.AT_A_RATE ? "" : NO_USERS,
                    "%.4g requests/s of %.4g ms are %.3g requests at a time.",
                    run.perSecond(),
                    run.times().mean(),
                    run.waiting());
        }
        LittlesLaw law =
                new LittlesLaw(run.mostUsers(), run.perSecond(), run.times().mean() / 1e3);
        String text = String.format(
                Locale.ROOT,
                "%.4g requests/s of %.4g ms are %.3g requests at a time, of at most %.0f users.",
                run.perSecond(),
                run.times().mean(),
                run.waiting(),
                run.mostUsers());
        if (law.audit() == LittlesLaw.Audit.TIME_TOO_MUCH) {
            return new Check(
                    id,
                    Outcome.WRONG,
                    text,
                    "The figures are of different requests or windows, users send several requests at once, or times"
                            + " of groups count those of their requests again.");
        }
        double busy = Double.isFinite(run.busySeconds()) ? run.busySeconds() / run.seconds() / run.users() : busy();
        String left = busy >= AT_LIMIT
                ? ""
                : String.format(
                        Locale.ROOT,
                        " Users waited for %.0f %% of their time; the rest was pauses, idle users, or the tool itself.",
                        100 * busy);
        return new Check(id, Outcome.PASSED, text + left, "");
    }

    /** The share of their time that users wait for responses; NaN if unknown. */
    private double busy() {
        return run.waiting() / run.users();
    }

    private Check percentiles() {
        Map<String, String> few = new LinkedHashMap<>();
        Stream<Part> all = Stream.concat(Stream.of(new Part("all", run.requests(), run.times())), run.parts().stream());
        all.forEach(part -> {
            String lacking = part.times().percentiles().keySet().stream()
                    .filter(percent -> percent >= HALF && part.requests() < needed(percent))
                    .map(Checks::name)
                    .collect(Collectors.joining(", "));
            if (!lacking.isEmpty()) {
                few.put(part.name(), lacking + String.format(Locale.ROOT, " of %.0f requests", part.requests()));
            }
        });
        if (run.times().percentiles().isEmpty()) {
            return check("few-requests", Outcome.UNKNOWN, "", "The file has no percentiles.");
        }
        if (Double.isNaN(run.requests())) {
            return check("few-requests", Outcome.UNKNOWN, "", "The file has no number of requests.");
        }
        return few.isEmpty()
                ? check(
                        "few-requests",
                        Outcome.PASSED,
                        "",
                        "%.0f requests carry its percentiles up to %s.",
                        run.requests(),
                        name(run.times().percentiles().lastKey()))
                : check(
                        "few-requests",
                        Outcome.DOUBT,
                        "Leave these percentiles out, or run longer: p99 needs %,d independent requests, p99.9 %,d."
                                .formatted(needed(99), needed(99.9)),
                        "Too few requests for %s.",
                        few.entrySet().stream()
                                .map(of -> of.getKey() + ": " + of.getValue())
                                .collect(Collectors.joining("; ")));
    }

    private static long needed(double percent) {
        return QuantileRanks.leastSamples(percent / 100);
    }

    private static String name(double percent) {
        return "p" + (percent == Math.rint(percent) ? String.valueOf((long) percent) : String.valueOf(percent));
    }

    private Check omission() {
        String id = "coordinated-omission";
        String advice = "Send at a rate, and count response times from when requests were due.";
        if (run.notStarted() > 0) {
            return check(
                    id,
                    Outcome.DOUBT,
                    advice,
                    "%.0f iterations weren't started; the times that they would have waited are in no percentile.",
                    run.notStarted());
        }
        if (run.format().sending() == Sending.AT_A_RATE) {
            long missing = run.each().map(ForeignRequests::missing).orElse(0L);
            return run.each().isEmpty() || run.seconds() < SHORT
                    ? check(id, Outcome.UNKNOWN, "", "Only ten seconds of single requests show whether sending waited.")
                    : missing == 0
                            ? check(id, Outcome.PASSED, "", "Requests were sent as often while the service was slow.")
                            : check(
                                    id,
                                    Outcome.DOUBT,
                                    "Allow more workers (-max-workers).",
                                    "About %d requests weren't sent while the service was slow (%.2g %% of all).",
                                    missing,
                                    100 * missing / run.requests());
        }
        double cycle = run.users() * run.seconds() / run.requests();
        if (!Double.isFinite(cycle) || !Double.isFinite(run.times().max())) {
            return check(id, Outcome.UNKNOWN, NO_USERS, "The time from one request of a user to the next is unknown.");
        }
        if (run.each().isPresent()) {
            double p99 = run.times().percentile(99);
            double corrected = run.each().get().correctedP99(cycle);
            String text = String.format(
                    Locale.ROOT,
                    "p99 is %.4g ms; %.4g ms if each user had kept sending every %.4g ms.",
                    p99,
                    corrected,
                    1e3 * cycle);
            return corrected > CORRECTED * p99
                    ? new Check(id, Outcome.DOUBT, text, advice)
                    : new Check(id, Outcome.PASSED, text, "");
        }
        double omitted = run.mostUsers() * Math.max(0, run.times().max() / 1e3 / cycle - 1);
        String text = String.format(
                Locale.ROOT,
                "A user sent every %.4g ms, and waited %.4g ms once: up to %.0f requests of %.0f were left out.",
                1e3 * cycle,
                run.times().max(),
                omitted,
                run.requests());
        return omitted > OMITTED * run.requests()
                        && run.times().max() > STALL * run.times().mean()
                ? new Check(id, Outcome.DOUBT, text, advice)
                : new Check(id, Outcome.PASSED, text, "");
    }

    private Check usersLimit() {
        String id = "users-limit";
        if (run.notStarted() > 0) {
            return check(
                    id,
                    Outcome.DOUBT,
                    "The throughput is the tool's limit, not the service's: allow more users.",
                    "No user was free for %.0f iterations, which weren't started; %.0f requests were sent.",
                    run.notStarted(),
                    run.requests());
        }
        if (run.format().sending() == Sending.AT_A_RATE) {
            return check(id, Outcome.UNKNOWN, "", "The file has no number of workers.");
        }
        if (!Double.isFinite(busy())) {
            return check(id, Outcome.UNKNOWN, NO_USERS, "The share of their time that users waited is unknown.");
        }
        return busy() < AT_LIMIT
                ? check(id, Outcome.PASSED, "", "Users waited for %.0f %% of their time.", 100 * busy())
                : check(
                        id,
                        Outcome.DOUBT,
                        "It isn't known to be the service's capacity: more users, or a rate, would show that.",
                        "%s users waited all of the time: %.4g requests/s is their number divided by %.4g ms.",
                        run.users() == Math.rint(run.users())
                                ? String.valueOf((long) run.users())
                                : String.format(Locale.ROOT, "%.1f", run.users()),
                        run.perSecond(),
                        run.times().mean());
    }

    /**
     * Percentiles of parts can't be averaged; a percentile of all is between the least and the greatest of the parts.
     */
    private Check averaged() {
        String id = "averaged-percentiles";
        if (run.format() == ForeignFormat.LOCUST_HISTORY) {
            return check(
                    id,
                    Outcome.DOUBT,
                    "Take the percentiles of the file _stats.csv.",
                    "A row's percentiles are of the ten seconds before it: neither their mean nor their greatest value"
                            + " is one of the run.");
        }
        if (run.each().isPresent() || run.parts().size() < 2) {
            return check(
                    id,
                    Outcome.PASSED,
                    "",
                    run.each().isPresent()
                            ? "Percentiles here are of all requests."
                            : "The tool computes its percentiles of all requests.");
        }
        List<String> outside = new ArrayList<>();
        List<String> means = new ArrayList<>();
        run.times().percentiles().forEach((percent, value) -> {
            double[] parts = run.parts().stream()
                    .mapToDouble(part -> part.times().percentile(percent))
                    .filter(Double::isFinite)
                    .toArray();
            double least = DoubleStream.of(parts).min().orElse(Double.NaN);
            double most = DoubleStream.of(parts).max().orElse(Double.NaN);
            if (value < least * (1 - ROUNDING) || value > most * (1 + ROUNDING)) {
                outside.add(name(percent));
            } else if (most > PARTS_DIFFER * least
                    && (isMean(value, weighted(percent))
                            || isMean(value, DoubleStream.of(parts).average().orElse(Double.NaN)))) {
                means.add(name(percent));
            }
        });
        if (!outside.isEmpty()) {
            return check(
                    id,
                    Outcome.WRONG,
                    "They aren't percentiles of these requests.",
                    "Of all requests, %s is less or more than those of every operation.",
                    String.join(", ", outside));
        }
        // One may be a coincidence.
        return means.size() > 1
                ? check(
                        id,
                        Outcome.DOUBT,
                        "A mean of percentiles is none: merge histograms or requests instead.",
                        "Of all requests, %s are the means of those of the operations.",
                        String.join(", ", means))
                : check(id, Outcome.PASSED, "", "Percentiles of all requests aren't means of those of operations.");
    }

    private static boolean isMean(double value, double mean) {
        return Math.abs(value - mean) <= ROUNDING * mean;
    }

    private double weighted(double percent) {
        double sum = run.parts().stream()
                .mapToDouble(part -> part.requests() * part.times().percentile(percent))
                .sum();
        return sum / run.parts().stream().mapToDouble(Part::requests).sum();
    }

    private Check failures() {
        if (Double.isNaN(run.failed())) {
            return check("failures", Outcome.UNKNOWN, "", "The file has no number of failed requests.");
        }
        if (run.failed() == 0) {
            return check("failures", Outcome.PASSED, "", "None failed, as the tool counts failures.");
        }
        return check(
                "failures",
                Outcome.DOUBT,
                "Compare times of successes only, beside the share that failed.",
                run.format().failuresTimed()
                        ? "%.0f of %.0f requests failed (%.3g %%), and their times count: quick failures flatter it."
                        : "%.0f of %.0f requests failed (%.3g %%), and their times don't count, such as timeouts.",
                run.failed(),
                run.requests(),
                100 * run.failed() / run.requests());
    }
}
