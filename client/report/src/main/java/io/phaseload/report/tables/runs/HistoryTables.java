package io.phaseload.report.tables.runs;

import io.phaseload.compare.Figure;
import io.phaseload.history.History;
import io.phaseload.history.History.Found;
import io.phaseload.history.History.HistoryRun;
import io.phaseload.history.History.LevelChange;
import io.phaseload.history.History.Line;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.stats.Effect.Word;
import io.phaseload.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tables of a history. */
public final class HistoryTables {

    private static final int COMMIT = 8;

    private HistoryTables() {}

    /**
     * The table of the chart.
     *
     * @param histories at least one
     * @return {@code history}: a row for each run and figure
     */
    public static Table of(List<History> histories) {
        return new Columns<HistoryPoint>()
                .count("place", of -> of.history().lines().indexOf(of.line()))
                .text("panel", HistoryPoint::panel)
                .count("run", of -> of.index() + 1)
                .text("started", of -> of.run().startedAt().toString())
                .number("value", "value", "", of -> of.line().values().get(of.index()))
                .number("level", "level", "", HistoryPoint::level)
                // A level's line ends with its machine, and with its change.
                .text(
                        "segment",
                        of -> of.run().machine()
                                + of.level().map(Object::toString).orElse(""))
                .text("machine", of -> "machine " + machine(of.history(), of.run()))
                .text("verdict", of -> of.run().status().name())
                .text("folder", of -> of.run().folder())
                .table("history", histories.stream().flatMap(history -> history.lines().stream()
                        .filter(HistoryTables::isShown)
                        .flatMap(line -> points(line, history, histories.size() > 1 ? history.title() + " · " : ""))));
    }

    private record HistoryPoint(History history, Line line, String panel, int index, Optional<Double> level) {

        HistoryRun run() {
            return history.runs().get(index);
        }
    }

    /** Those of all operations together, and where something changed. */
    private static boolean isShown(Line line) {
        boolean some = line.values().stream().flatMap(Optional::stream).anyMatch(value -> value > 0);
        return some && line.operation().isEmpty() && line.figure() != Figure.P95
                || !line.changes().isEmpty();
    }

    private static Stream<HistoryPoint> points(Line line, History history, String before) {
        return IntStream.range(0, history.runs().size())
                .mapToObj(run -> new HistoryPoint(
                        history,
                        line,
                        before + panel(line, history),
                        run,
                        history.runs().get(run).counts() ? level(line, history, run) : Optional.empty()));
    }

    /** The median of the runs on this machine between two changes. */
    private static Optional<Double> level(Line line, History history, int run) {
        String machine = history.runs().get(run).machine();
        List<LevelChange> own = line.changes().stream()
                .filter(of -> history.runs().get(of.first()).machine().equals(machine))
                .toList();
        Optional<Double> level = own.stream().findFirst().map(LevelChange::before);
        for (LevelChange change : own) {
            level = run >= change.first() ? Optional.of(change.after()) : level;
        }
        return level;
    }

    /** A letter, in order of the first runs. */
    private static String machine(History history, HistoryRun run) {
        int index = history.machines().indexOf(run.machine());
        return index < 26 ? String.valueOf((char) ('A' + index)) : String.valueOf(index + 1);
    }

    private static String panel(Line line, History history) {
        return (name(line, history) + " (" + line.figure().unit() + ")").replace(" (%)", " %");
    }

    /**
     * A figure with as much of its place as is needed.
     *
     * @param line of the history
     * @param history has it
     * @return such as {@code p99 of GET /, peak}
     */
    public static String name(Line line, History history) {
        boolean phases = history.lines().stream().map(Line::phase).distinct().count() > 1;
        return ComparisonTables.title(line.figure())
                + line.operation().map(of -> " of " + of).orElse("")
                + (phases ? ", " + line.phase() : "");
    }

    /**
     * The changes, the last ones first.
     *
     * @param history the history
     * @return a row for each change of a figure
     */
    public static Table changes(History history) {
        return new Columns<Found>()
                .text("figure", of -> name(of.line(), history))
                .text("change", of -> change(of.change()))
                .text("word", of -> Strong.when(of.change().word() == Word.WORSE, word(of.change())))
                .text("interval", of -> Effects.interval(of.change().effect()))
                .text("level", HistoryTables::levels)
                .text("last_before", of -> run(history, of.change().last()))
                .text("first_after", of -> run(history, of.change().first()))
                .table("changes", history.changes().stream());
    }

    private static String change(LevelChange of) {
        return Effects.signed(of.effect(), of.effect().change());
    }

    private static String levels(Found of) {
        return "%s → %s %s"
                .formatted(
                        Significant.text(of.change().before()),
                        Significant.text(of.change().after()),
                        of.line().figure().unit());
    }

    private static String word(LevelChange change) {
        return change.word().name().toLowerCase(Locale.ROOT);
    }

    /**
     * A run in a few words.
     *
     * @param history the history
     * @param index of the run
     * @return such as {@code run 24, commit 0f3a9c12}
     */
    public static String run(History history, int index) {
        Optional<String> commit = history.runs().get(index).commit();
        return "run "
                + (index + 1)
                + commit.map(of -> ", commit " + of.substring(0, Math.min(COMMIT, of.length())))
                        .orElse("");
    }

    /**
     * The runs, the last ones first.
     *
     * @param history the history
     * @return a row for each, with the figures of all operations in the last measured phase
     */
    public static Table runs(History history) {
        String phase = history.lines().stream()
                .map(Line::phase)
                .reduce((first, second) -> second)
                .orElse("");
        Columns<Integer> columns = new Columns<Integer>()
                .count("run", index -> index + 1)
                .text("started", index -> started(history.runs().get(index)))
                .text("folder", index -> history.runs().get(index).folder())
                .text("verdict", index -> verdict(history.runs().get(index).status()))
                .text("machine", index -> machine(history, index));
        history.lines().stream()
                .filter(of -> of.operation().isEmpty() && of.phase().equals(phase))
                .forEach(line -> columns.number(
                        line.figure().key(),
                        ComparisonTables.title(line.figure()),
                        line.figure().unit(),
                        index -> line.values().get(index).<Object>map(of -> of).orElse(Missing.TOO_FEW)));
        int last = history.runs().size() - 1;
        return columns.table("runs", IntStream.rangeClosed(0, last).mapToObj(index -> last - index));
    }

    private static String started(HistoryRun run) {
        return run.startedAt().toString().replaceFirst("\\.\\d+Z$", "Z");
    }

    private static Object verdict(Verdict.Status status) {
        return Strong.when(status != Verdict.Status.VALID, status.name());
    }

    private static Object machine(History history, int index) {
        boolean changed = history.isMachineChange(index);
        return Strong.when(changed, machine(history, history.runs().get(index)) + (changed ? " (changed)" : ""));
    }

    /**
     * Facts that a reader of the changes should know.
     *
     * @param history the history
     * @return whole sentences
     */
    public static List<String> notes(History history) {
        List<String> notes = new ArrayList<>();
        List<String> machines = history.machines();
        for (int i = 0; i < machines.size(); i++) {
            String machine = machines.get(i);
            List<HistoryRun> own = history.runs().stream()
                    .filter(of -> of.machine().equals(machine))
                    .toList();
            notes.add("Machine %s: %s; %d runs.".formatted(machine(history, own.get(0)), machine, own.size()));
        }
        if (machines.size() > 1) {
            notes.add("Runs on different machines aren't compared.");
        }
        for (Verdict.Status status : List.of(Verdict.Status.SUSPECT, Verdict.Status.INVALID)) {
            List<Integer> doubtful = IntStream.range(0, history.runs().size())
                    .filter(i -> history.runs().get(i).status() == status)
                    .boxed()
                    .toList();
            doubtful.stream()
                    .reduce((first, second) -> second)
                    .ifPresent(last -> notes.add("%d of %d runs are %s%s; run %d: %s"
                            .formatted(
                                    doubtful.size(),
                                    history.runs().size(),
                                    status,
                                    status == Verdict.Status.INVALID ? " and don't count" : "",
                                    last + 1,
                                    history.runs().get(last).reason())));
        }
        long lines = history.lines().size();
        notes.add(("%d figures were searched; without any change, one in a hundred of them shows one by chance."
                        + " The last two runs can't show a change.")
                .formatted(lines));
        return notes;
    }

    /**
     * The outcome.
     *
     * @param history the history
     * @return such as {@code p99 is worse since run 24, commit 0f3a9c12: +12.3 %, and 2 more changes.}
     */
    public static String sentence(History history) {
        List<Found> changes = history.changes();
        if (changes.isEmpty()) {
            return "No figure changed its level in %d runs."
                    .formatted(history.runs().size());
        }
        Found last = changes.get(0);
        LevelChange change = last.change();
        return "%s is %s since %s: %s%s."
                .formatted(
                        name(last.line(), history),
                        change.word() == Word.UNDECIDED ? "different" : word(change),
                        run(history, change.first()),
                        Effects.signed(change.effect(), change.effect().change()),
                        changes.size() == 1
                                ? ""
                                : changes.size() == 2
                                        ? ", and 1 more change"
                                        : ", and %d more changes".formatted(changes.size() - 1));
    }
}
