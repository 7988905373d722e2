package io.phaseload.history;

import io.phaseload.compare.Figure;
import io.phaseload.result.json.JsonFile;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Effect.Word;
import io.phaseload.verdict.Verdict;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The runs of one plan.
 *
 * @param title the plan's
 * @param runs in order of time
 * @param lines the figures
 */
public record History(String title, List<HistoryRun> runs, List<Line> lines) {

    /**
     * A run.
     *
     * @param folder its results folder
     * @param runId identifies it
     * @param startedAt the time when it began
     * @param status its verdict; a run that is INVALID doesn't count
     * @param reason the worst finding; empty for a VALID run
     * @param machine the machine and the client that ran it
     * @param commit the commit of its working directory
     */
    public record HistoryRun(
            String folder,
            String runId,
            Instant startedAt,
            Verdict.Status status,
            String reason,
            String machine,
            Optional<String> commit) {

        /**
         * Whether changes are looked for in its figures.
         *
         * @return false if its measurement isn't valid
         */
        public boolean counts() {
            return status != Verdict.Status.INVALID;
        }
    }

    /**
     * A figure over time.
     *
     * @param phase its phase
     * @param operation its operation; empty for all together
     * @param figure the figure
     * @param values one for each run, in the figure's unit; empty if unknown
     * @param changes in order of time
     */
    public record Line(
            String phase,
            Optional<String> operation,
            Figure figure,
            List<Optional<Double>> values,
            List<LevelChange> changes) {}

    /**
     * A change of a figure's level, between two runs on the same machine.
     *
     * @param last index of the last run before it
     * @param first index of the first run after it
     * @param before the level before it, in the figure's unit: the median of its runs
     * @param after the level after it
     * @param effect the change, with its interval
     * @param word better or worse; undecided if the interval contains no change
     */
    public record LevelChange(int last, int first, double before, double after, Effect effect, Word word) {}

    /** A change with its figure. */
    public record Found(Line line, LevelChange change) {}

    /**
     * All changes.
     *
     * @return in order of time, the later ones first
     */
    public List<Found> changes() {
        return lines.stream()
                .flatMap(line -> line.changes().stream().map(change -> new Found(line, change)))
                .sorted(Comparator.comparing((Found found) -> found.change().first())
                        .reversed())
                .toList();
    }

    /**
     * The machines, each as in its runs.
     *
     * @return in order of their first runs
     */
    public List<String> machines() {
        return runs.stream().map(HistoryRun::machine).distinct().toList();
    }

    /**
     * Whether a run was on another machine than the run before it.
     *
     * @param run its index
     * @return false for the first run
     */
    public boolean isMachineChange(int run) {
        return run > 0 && !runs.get(run).machine().equals(runs.get(run - 1).machine());
    }

    /**
     * Writes histories as JSON, with the names of these records.
     *
     * @param all the histories
     * @return indented JSON that ends in a line feed
     */
    public static String json(List<History> all) {
        return JsonFile.text(all);
    }

    /** The runs that count, of one machine. */
    static Stream<List<Integer>> byMachine(List<HistoryRun> runs) {
        return runs.stream().map(HistoryRun::machine).distinct().map(machine -> Stream.iterate(0, i -> i + 1)
                .limit(runs.size())
                .filter(i -> runs.get(i).counts() && runs.get(i).machine().equals(machine))
                .toList());
    }
}
