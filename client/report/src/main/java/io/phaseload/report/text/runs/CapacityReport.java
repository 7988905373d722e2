package io.phaseload.report.text.runs;

import io.phaseload.capacity.Answer;
import io.phaseload.capacity.CapacityResult;
import io.phaseload.capacity.CapacityStep;
import io.phaseload.capacity.ClientRoom;
import io.phaseload.capacity.ObjectiveResult;
import io.phaseload.capacity.Outcome;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.Lines;
import io.phaseload.report.notation.Markdown;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.runs.CapacityTables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A search for a capacity for people, as text and as Markdown. */
public final class CapacityReport {

    private static final double MANY = 10_000;

    private CapacityReport() {}

    /**
     * The report.
     *
     * @param result the search
     * @param columns the width, see {@link TextTable#write}
     * @return lines that each end in a line feed
     */
    public static String text(CapacityResult result, int columns) {
        Lines out = new Lines(columns);
        if (!result.steps().isEmpty()) {
            out.add(table(result));
            out.add("");
        }
        out.add(sentence(result));
        out.add(remarks(result));
        return out.toString();
    }

    /**
     * The summary, for a pull request or the summary of a job.
     *
     * @param result the search
     * @return Markdown, lines that each end in a line feed
     */
    public static String markdown(CapacityResult result) {
        return Markdown.head(result.name(), sentence(result))
                + Markdown.list(remarks(result))
                + "\n"
                + Markdown.table(table(result));
    }

    private static Table table(CapacityResult result) {
        return CapacityTables.steps(result).without(CapacityTables.PAGE);
    }

    /**
     * A step in a line.
     *
     * @param result the search
     * @param step one of its steps
     * @return such as {@code Step 3 at 80/s: held, p99 41.2 ms (p99 < 250ms)}
     */
    public static String line(CapacityResult result, CapacityStep step) {
        return TextFormat.format(
                "Step %d at %s, %s: %s, %s%s",
                step.number(),
                load(result, step.load()),
                switch (step.purpose()) {
                    case BRACKET -> "bracket";
                    case BISECT -> "bisect";
                    case AGAIN -> "again";
                    case CONFIRM -> "confirm";
                },
                switch (step.outcome()) {
                    case HELD -> "held";
                    case BROKE -> "broke";
                    case CLIENT -> "the client was the limit";
                    case UNSTEADY -> "not steady";
                },
                figure(step.worst()),
                step.client().doubt().map(why -> ": " + why).orElse(""));
    }

    private static String figure(ObjectiveResult of) {
        return "%s %s (%s)".formatted(Significant.text(of.figure()), of.unit(), of.objective());
    }

    private static String load(CapacityResult result, double load) {
        String unit = CapacityTables.unit(result);
        return CapacityTables.load(load) + (unit.equals("users") ? load == 1 ? " user" : " users" : unit);
    }

    /**
     * The answer.
     *
     * @param result the search
     * @return one or two sentences
     */
    public static String sentence(CapacityResult result) {
        String slo = String.join(", ", result.objectives());
        if (result.nothingSucceeded()) {
            return "No request succeeded at %s, so nothing was searched."
                    .formatted(load(result, result.step(1).load()));
        }
        if (result.answer().isEmpty()) {
            return result.steps().isEmpty()
                    ? "No step was finished."
                    : "No load was found at which %s held; the least was %s."
                            .formatted(
                                    slo,
                                    load(
                                            result,
                                            result.steps().stream()
                                                    .mapToDouble(CapacityStep::load)
                                                    .min()
                                                    .orElseThrow()));
        }
        Answer answer = result.answer().get();
        String confirmed = answer.confirmed()
                .map(load -> "%s was confirmed.".formatted(load(result, load)))
                .orElse(result.finished() ? "It isn't confirmed: the time was up." : "It isn't confirmed.");
        if (answer.atLeast()) {
            String why = answer.beyond().isPresent()
                    ? "at %s the client was the limit"
                            .formatted(load(
                                    result, result.step(answer.beyond().get()).load()))
                    : "no greater load was tried";
            return "Capacity: at least %s for %s; %s. %s".formatted(load(result, answer.low()), slo, why, confirmed);
        }
        return "Capacity: %s (95 %% interval %s to %s) for %s. %s"
                .formatted(
                        load(result, answer.load()),
                        load(result, answer.low()),
                        load(result, answer.high().orElseThrow()),
                        slo,
                        confirmed);
    }

    /**
     * The remarks on the answer.
     *
     * @param result the search
     * @return the figure that broke first, its diagnosis, and the room that the client had
     */
    public static List<String> remarks(CapacityResult result) {
        List<String> remarks = new ArrayList<>();
        Optional<Answer> answer = result.answer();
        Optional<CapacityStep> beyond = answer.isPresent()
                ? answer.get().beyond().map(result::step)
                : result.steps().stream().reduce((a, b) -> b);
        if (beyond.isPresent() && !result.nothingSucceeded()) {
            CapacityStep step = beyond.get();
            Optional<String> doubt = step.client().doubt();
            remarks.add("%s: %s at %s, in step %d"
                    .formatted(
                            doubt.isPresent() ? "Missed first" : "Broke first",
                            figure(step.worst()),
                            load(result, step.load()),
                            step.number()));
            doubt.ifPresent(why -> remarks.add("Client: " + why));
            if (doubt.isEmpty()) {
                remarks.add("Diagnosis beyond it: " + diagnosis(result, step));
            }
        }
        answer.ifPresent(of -> remarks.add(room(result, result.step(of.at()))));
        if (!result.finished()) {
            remarks.add("The search was interrupted after %d steps."
                    .formatted(result.steps().size()));
        }
        return remarks;
    }

    /** Of the step itself, or else of the next greater load that has one: further beyond, causes show more clearly. */
    private static String diagnosis(CapacityResult result, CapacityStep step) {
        return result.steps().stream()
                .filter(of -> of.outcome() == Outcome.BROKE && of.load() >= step.load())
                .sorted(Comparator.comparingDouble(CapacityStep::load))
                .flatMap(of -> of.diagnosis().stream())
                .findFirst()
                .orElse("no known pattern explains it.");
    }

    private static String room(CapacityResult result, CapacityStep step) {
        ClientRoom room = step.client();
        String used = TextFormat.format(
                "The client at %s: %.1f %% of the CPU, %,d users%s",
                load(result, step.load()),
                room.cpuPercent(),
                room.users(),
                room.slipP99Ms()
                        .map(ms -> TextFormat.format(", 99 %% of requests sent at most %.1f ms late", ms))
                        .orElse(""));
        return used
                + room.ceiling()
                        .filter(ceiling -> ceiling < MANY * step.load())
                        .map(ceiling -> TextFormat.format(
                                "; its own ceiling is at about %s, %.1f times as much (%s)",
                                load(result, Double.parseDouble(TextFormat.format("%.2g", ceiling))),
                                ceiling / step.load(),
                                room.limit()))
                        .orElse("");
    }
}
