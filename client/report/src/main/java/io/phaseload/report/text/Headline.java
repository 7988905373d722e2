package io.phaseload.report.text;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.report.cells.Millis;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.tables.Part;
import io.phaseload.result.Figures;
import io.phaseload.result.LatencyValue;
import io.phaseload.result.LatencyValue.Measured;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.timing.MessageTimings;
import io.phaseload.verdict.rules.Rule;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The first lines about a run: its subject, and its outcome in a sentence. */
public final class Headline {

    private static final int MOST_NAMES = 3;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private Headline() {}

    /**
     * The name of a run for a heading.
     *
     * @param result of a run
     * @return such as {@code GET /, POST / · shop.example · 300 requests/s, up to 60 users}; the plan's own name
     *     replaces the operations
     */
    public static String title(Result result) {
        String name = result.plan().name();
        return String.join(
                " · ",
                name.equals(PlanBuilder.DEFAULT_NAME) ? operations(result) : name,
                host(SetUpLines.url(result)),
                load(result));
    }

    private static String operations(Result result) {
        Plan plan = result.plan();
        List<String> names = plan.scenario()
                .journeys()
                .map(journeys -> journeys.all().stream().map(of -> of.name()))
                .orElseGet(() -> result.phases().stream()
                        .limit(1)
                        .flatMap(phase -> phase.operations().stream())
                        .map(operation -> operation.name()))
                .toList();
        if (Wording.of(plan) != Wording.REQUESTS) {
            return "messages";
        }
        return names.size() > MOST_NAMES ? names.size() + " operations" : String.join(", ", names);
    }

    /**
     * The host and port of an address.
     *
     * @return such as {@code localhost:8080}
     */
    public static String host(String address) {
        return address.replaceFirst("^\\w+://", "").replaceFirst("[/?].*$", "");
    }

    private static String load(Result result) {
        Plan plan = result.plan();
        Wording words = Wording.of(plan);
        double rate = plan.phases().stream()
                .mapToDouble(phase -> rate(phase, result))
                .max()
                .orElse(0);
        int most = plan.phases().stream()
                .mapToInt(phase -> phase.users(plan.threads()))
                .max()
                .orElse(plan.threads());
        String users = "%s%d %s"
                .formatted(
                        plan.phases().size() > 1 ? "up to " : "", most, words.text(most == 1 ? "[user]" : "[users]"));
        String events = plan.scenario().journeys().isPresent() ? "journeys" : words.text("[requests]");
        return rate == 0 ? users : "%s %s/s, %s".formatted(Significant.text(rate), events, users);
    }

    /** The greater of the rates in the first and in the last second of an open phase. */
    private static double rate(Phase phase, Result result) {
        if (!(phase.load() instanceof Load.Open open)) {
            return 0;
        }
        long nanos = result.phases().stream()
                .filter(of -> of.name().equals(phase.name()))
                .mapToLong(of -> of.figures().wall().toNanos())
                .max()
                .orElse(0);
        long second = Math.max(1, Math.min(SECOND.toNanos(), nanos));
        long last = open.schedule().startsBefore(nanos, Long.MAX_VALUE)
                - open.schedule().startsBefore(nanos - second, Long.MAX_VALUE);
        return Math.max(last, open.schedule().startsBefore(second, Long.MAX_VALUE)) * 1e9 / second;
    }

    /**
     * The phases of a run with their users and lengths.
     *
     * @param result of a run
     * @return such as {@code warmup 3.0 s, peak 15.0 s}
     */
    public static String phases(Result result) {
        return result.phases().stream()
                .filter(phase -> phase.startedAt().isPresent())
                .map(Headline::length)
                .collect(Collectors.joining(", "));
    }

    private static String length(PhaseResult phase) {
        double seconds = phase.figures().wall().toNanos() / 1e9;
        return phase.name() + " " + Significant.text(seconds) + " s";
    }

    /**
     * The outcome of a run.
     *
     * @param result of a run
     * @return such as {@code 9,810 requests/s succeeded, p99 8.30 ms, none failed: these figures can be trusted.}
     */
    public static String sentence(Result result) {
        Part part = Part.of(result, List.of()).get(0);
        Figures figures = part.figures();
        boolean messages = figures.has(MessageTimings.SECTION);
        if (figures.requests() == 0) {
            return "Nothing was sent.";
        }
        String failed = messages ? "lost" : "failed";
        String failures = figures.failed() == 0
                ? "none " + failed
                : "%s %% %s".formatted(Significant.text(figures.failedPercent()), failed);
        String outcome = TextFormat.joined(
                ", ",
                "%s %s/s %s"
                        .formatted(
                                Significant.text(part.succeededPerSecond()),
                                messages ? "messages" : "requests",
                                messages ? "delivered" : "succeeded"),
                p99(figures.responseOfSuccesses().p99()),
                failures);
        return outcome + ": " + trust(result);
    }

    private static String p99(LatencyValue value) {
        return value instanceof Measured ? "p99 " + Millis.brief(value) : "";
    }

    /**
     * Whether the mean throughput of a phase describes no moment.
     *
     * @param result of a run
     * @return {@code true} if a remark of its verdict says so
     */
    public static boolean isUnsteady(Result result) {
        return result.verdict().findings().stream().anyMatch(of -> of.id().equals(Rule.UNSTEADY.id()));
    }

    private static String trust(Result result) {
        return switch (result.verdict().status()) {
            case VALID -> isUnsteady(result)
                    ? "right, but not steady: a mean of different moments."
                    : "these figures can be trusted.";
            case SUSPECT -> "don't rely on these figures yet.";
            case INVALID -> "don't use these figures.";
        };
    }
}
