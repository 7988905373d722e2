package io.phaseload.ab;

import io.phaseload.result.Environment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A comparison as far as it has come.
 *
 * @param schemaVersion the version of its JSON format
 * @param startedAt the time when it began
 * @param environment the client's machine
 * @param arguments its command line, without secrets
 * @param a the first side, as the user named it
 * @param b the other side
 * @param settings the decision that it is made for
 * @param runs in their order
 * @param looks at the effects, after whole blocks
 * @param finished true if it wasn't interrupted
 */
public record AbComparison(
        int schemaVersion,
        Instant startedAt,
        Environment environment,
        List<String> arguments,
        String a,
        String b,
        AbSettings settings,
        List<AbRun> runs,
        List<Look> looks,
        boolean finished) {

    /**
     * A look at the effects.
     *
     * @param blocks the number of whole blocks
     * @param fraction the part of the budget that was used, 0 to 1
     */
    public record Look(int blocks, double fraction) {}

    /** Keeps the lists from being changed. */
    public AbComparison {
        arguments = List.copyOf(arguments);
        runs = List.copyOf(runs);
        looks = List.copyOf(looks);
    }

    /**
     * A comparison without a run.
     *
     * @param arguments its command line, without secrets
     * @param a the first side
     * @param b the other side
     * @param settings the decision to make
     * @return the comparison
     */
    public static AbComparison begin(List<String> arguments, String a, String b, AbSettings settings) {
        return new AbComparison(
                AbJson.SCHEMA_VERSION,
                Instant.now(),
                Environment.capture(),
                arguments,
                a,
                b,
                settings,
                List.of(),
                List.of(),
                false);
    }

    /**
     * This comparison with one more run.
     *
     * @param run the run
     * @return a copy
     */
    public AbComparison with(AbRun run) {
        return copy(plus(runs, run), looks, finished);
    }

    /**
     * This comparison with a look after a whole block.
     *
     * @param seconds the time since it began
     * @return a copy
     */
    public AbComparison look(double seconds) {
        int blocks = runs.stream().mapToInt(AbRun::block).max().orElse(0);
        double fraction = isLast(seconds, blocks) ? 1 : Math.min(1, seconds / settings.budgetSeconds());
        return copy(runs, plus(looks, new Look(blocks, fraction)), finished);
    }

    /** Whether one more block would not end within the budget. */
    private boolean isLast(double seconds, int blocks) {
        double block = runs.stream()
                        .filter(run -> run.block() > 0)
                        .mapToDouble(AbRun::seconds)
                        .sum()
                / blocks;
        return seconds + block > settings.budgetSeconds();
    }

    /**
     * Whether another block would change nothing, or isn't possible.
     *
     * @return {@code false} before the first look
     */
    public boolean hasEnded() {
        if (looks.isEmpty()) {
            return false;
        }
        Outcome outcome = judgement().outcome();
        return looks.get(looks.size() - 1).fraction() >= 1
                || outcome.isConclusion()
                || outcome == Outcome.CONTROL_MOVED
                || outcome == Outcome.INVALID;
    }

    /**
     * This comparison, finished.
     *
     * @return a copy
     */
    public AbComparison finish() {
        return copy(runs, looks, true);
    }

    /**
     * Whether a side has no request that succeeded, so that there is nothing to compare.
     *
     * @return {@code true} if all of the last run failed before the first look
     */
    public boolean nothingSucceeded() {
        AbRun last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
        return last != null && looks.isEmpty() && last.failed() == last.requests();
    }

    /**
     * The effects at the last look.
     *
     * @return no effects before the first one
     */
    public Judgement judgement() {
        RepeatedLooks levels = new RepeatedLooks(settings.errorOfFigure());
        double error = settings.errorOfFigure();
        int blocks = 0;
        for (Look look : looks) {
            error = levels.look(look.blocks(), look.fraction());
            blocks = look.blocks();
        }
        int counted = blocks;
        return Judgement.of(
                runs.stream()
                        .filter(run -> run.block() > 0 && run.block() <= counted)
                        .toList(),
                settings,
                error);
    }

    private AbComparison copy(List<AbRun> newRuns, List<Look> newLooks, boolean over) {
        return new AbComparison(
                schemaVersion, startedAt, environment, arguments, a, b, settings, newRuns, newLooks, over);
    }

    private static <T> List<T> plus(List<T> list, T one) {
        List<T> more = new ArrayList<>(list);
        more.add(one);
        return more;
    }
}
