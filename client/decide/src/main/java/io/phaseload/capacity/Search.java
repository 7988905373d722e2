package io.phaseload.capacity;

import io.phaseload.capacity.CapacityStep.Purpose;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the load of each step: doubled or halved until one holds and one doesn't, then at the median of a
 * {@link Belief}, to which each step adds what its figures are worth; at last the lower end of the interval once more,
 * and longer. A pure function of the steps so far, so that a search can be continued from them.
 *
 * @param start the first load, above 0
 * @param most the greatest load
 * @param whole true for users, false for a rate
 * @param precision the part of the capacity that its interval extends to each side at least, such as 0.05
 * @param agents the most agents; 0 if this JVM sends the load
 * @param seconds the length of a step
 * @param confirmSeconds the length of a step that confirms
 */
public record Search(
        double start, double most, boolean whole, double precision, int agents, double seconds, double confirmSeconds) {

    /** No step is surer than this: an interval knows nothing of a neighbour that was busy during one step. */
    private static final double SUREST = 0.95;

    /** Of a service that never became steady. */
    private static final double UNSTEADY_HOLDS = 0.3;

    private static final int MOST_LOOKS = 4;
    private static final int MOST_CONFIRMATIONS = 3;
    private static final double TAIL = 0.025;

    /** The tails beyond a narrow interval: for those of 95 %, searches take half as long again. */
    private static final double ENOUGH = 0.07;

    /**
     * Steps that agree may all err: one seldom sees a service's rare slow stretches, and the first ones see a cold
     * service.
     */
    private static final double LEAST_WIDTH = 1.5;

    /** Figures near the limit say more of a service's end than those far beyond it. */
    private static final double NEAR = 1.5;

    private static final double LEAST_RATE = 0.01;

    /** The greatest load that held and the least that didn't. */
    private record Bracket(Optional<CapacityStep> held, Optional<CapacityStep> broke) {

        boolean isClosed() {
            return held.isPresent() && broke.isPresent();
        }
    }

    /**
     * Chooses the next step.
     *
     * @param steps the steps so far, in order
     * @param left the seconds that are left
     * @return empty if the search is over
     */
    public Optional<NextStep> next(List<CapacityStep> steps, double left) {
        if (steps.isEmpty()) {
            return step(Purpose.BRACKET, start, Math.min(1, agents), left);
        }
        CapacityStep last = steps.get(steps.size() - 1);
        if (last.outcome() == Outcome.CLIENT && last.agents() < agents) {
            return again(last, Math.min(agents, 2 * last.agents()), left);
        }
        boolean growsSlowly = last.outcome() == Outcome.BROKE && last.purpose() == Purpose.BRACKET;
        // A client that was held up once says nothing.
        boolean heldUp = last.outcome() == Outcome.CLIENT && looks(steps) == 1;
        if (growsSlowly || heldUp || last.outcome() == Outcome.UNSTEADY && looks(steps) < MOST_LOOKS) {
            return again(last, last.agents(), left);
        }
        boolean confirming = isConfirming(steps);
        if (confirming && last.outcome() == Outcome.HELD) {
            return Optional.empty();
        }
        Bracket bracket = bracket(counted(steps));
        if (bracket.held().isEmpty()) {
            double half = rounded(bracket.broke().orElseThrow().load() / 2);
            return half < (whole ? 1 : LEAST_RATE)
                    ? Optional.empty()
                    : step(Purpose.BRACKET, half, last.agents(), left);
        }
        double held = bracket.held().get().load();
        if (bracket.broke().isEmpty() && held < most && left >= seconds + confirmSeconds) {
            return step(Purpose.BRACKET, Math.min(most, rounded(2 * held)), last.agents(), left);
        }
        Answer answer = answer(steps).orElseThrow();
        double low = rounded(answer.low());
        boolean narrow = bracket.broke().isEmpty() || isNarrow(steps);
        if (!narrow && left >= 2 * confirmSeconds) {
            double median = rounded(belief(steps).quantile(0.5));
            return Optional.of(new NextStep(Purpose.BISECT, median, last.agents(), confirmSeconds));
        }
        long confirmations =
                steps.stream().filter(of -> of.purpose() == Purpose.CONFIRM).count();
        return confirmations < MOST_CONFIRMATIONS && left >= confirmSeconds
                ? Optional.of(new NextStep(Purpose.CONFIRM, low, last.agents(), confirmSeconds))
                : Optional.empty();
    }

    private Optional<NextStep> step(Purpose purpose, double load, int by, double left) {
        return left < seconds ? Optional.empty() : Optional.of(new NextStep(purpose, load, by, seconds));
    }

    private static Optional<NextStep> again(CapacityStep last, int by, double left) {
        return left < last.time().seconds()
                ? Optional.empty()
                : Optional.of(
                        new NextStep(Purpose.AGAIN, last.load(), by, last.time().seconds()));
    }

    private static int looks(List<CapacityStep> steps) {
        int looks = 1;
        for (int i = steps.size() - 1; i > 0 && steps.get(i).purpose() == Purpose.AGAIN; i--) {
            looks++;
        }
        return looks;
    }

    private static boolean isConfirming(List<CapacityStep> steps) {
        return steps.get(steps.size() - looks(steps)).purpose() == Purpose.CONFIRM;
    }

    /** A step that was repeated counts in the one that repeats it. */
    private static List<CapacityStep> counted(List<CapacityStep> steps) {
        List<CapacityStep> counted = new ArrayList<>();
        for (CapacityStep step : steps) {
            if (step.purpose() == Purpose.AGAIN) {
                counted.remove(counted.size() - 1);
            }
            counted.add(step);
        }
        return counted;
    }

    /** The first one, since each later step lies within it, or corrects it. */
    private static Bracket bracket(List<CapacityStep> counted) {
        Optional<CapacityStep> held = Optional.empty();
        Optional<CapacityStep> broke = Optional.empty();
        for (CapacityStep step : counted) {
            if (step.outcome() == Outcome.HELD) {
                held = held.filter(of -> of.load() >= step.load()).or(() -> Optional.of(step));
            } else {
                broke = broke.filter(of -> of.load() <= step.load()).or(() -> Optional.of(step));
            }
            if (held.isPresent() && broke.isPresent()) {
                break;
            }
        }
        return new Bracket(held, broke);
    }

    private static Belief belief(List<CapacityStep> steps) {
        List<CapacityStep> counted = counted(steps);
        Bracket bracket = bracket(counted);
        Belief belief = new Belief(
                bracket.held().orElseThrow().load(),
                bracket.broke().orElseThrow().load());
        for (CapacityStep step : counted) {
            double holds =
                    switch (step.outcome()) {
                        case HELD, BROKE -> step.holds();
                        case CLIENT -> 0;
                        case UNSTEADY -> UNSTEADY_HOLDS;
                    };
            belief.add(step.load(), Math.max(1 - SUREST, Math.min(SUREST, holds)));
        }
        return belief;
    }

    private boolean isNarrow(List<CapacityStep> steps) {
        Belief belief = belief(steps);
        double low = belief.quantile(ENOUGH);
        double high = belief.quantile(1 - ENOUGH);
        return high / low <= Math.pow(1 + precision, 2) || whole && Math.floor(high) - Math.floor(low) <= 1;
    }

    /**
     * The result so far.
     *
     * @param steps the steps so far, in order
     * @return empty if no load held
     */
    public Optional<Answer> answer(List<CapacityStep> steps) {
        List<CapacityStep> counted = counted(steps);
        Bracket bracket = bracket(counted);
        if (bracket.held().isEmpty()) {
            return Optional.empty();
        }
        Optional<Double> confirmed = !steps.isEmpty()
                        && isConfirming(steps)
                        && steps.get(steps.size() - 1).outcome() == Outcome.HELD
                ? Optional.of(steps.get(steps.size() - 1).load())
                : Optional.empty();
        if (!bracket.isClosed()) {
            CapacityStep held = bracket.held().get();
            return Optional.of(new Answer(
                    held.load(), held.load(), Optional.empty(), true, confirmed, held.number(), Optional.empty()));
        }
        Belief belief = belief(steps);
        double load = belief.quantile(0.5);
        boolean single = whole && load * precision < 1;
        double low = single
                ? rounded(belief.quantile(TAIL))
                : Math.min(belief.quantile(TAIL), load / (1 + LEAST_WIDTH * precision));
        double high = single
                ? rounded(belief.quantile(1 - TAIL))
                : Math.max(belief.quantile(1 - TAIL), load * (1 + LEAST_WIDTH * precision));
        List<CapacityStep> beyond = counted.stream()
                .filter(of -> of.outcome() != Outcome.HELD && of.load() >= low)
                .sorted(Comparator.comparingDouble(CapacityStep::load))
                .toList();
        List<CapacityStep> near =
                beyond.stream().filter(of -> of.load() <= NEAR * load).toList();
        long client = (near.isEmpty() ? beyond.stream().limit(1) : near.stream())
                .filter(of -> of.outcome() == Outcome.CLIENT)
                .count();
        boolean atLeast = client > 0 && 2 * client >= Math.max(1, near.size());
        // A step that broke at nearly the capacity may have broken by chance.
        Optional<Integer> clear = Stream.concat(beyond.stream().filter(of -> of.load() >= load), beyond.stream())
                .filter(of -> atLeast == (of.outcome() == Outcome.CLIENT))
                .findFirst()
                .map(CapacityStep::number);
        int at = counted.stream()
                .filter(of -> of.outcome() == Outcome.HELD && of.load() <= high)
                .max(Comparator.comparingDouble(CapacityStep::load))
                .orElse(bracket.held().get())
                .number();
        return Optional.of(new Answer(
                whole ? rounded(load) : load,
                low,
                atLeast ? Optional.empty() : Optional.of(high),
                atLeast,
                confirmed,
                at,
                clear));
    }

    /** Users downwards to whole ones, rates to three digits. */
    private double rounded(double load) {
        if (whole) {
            return Math.max(1, Math.floor(load + 1e-9));
        }
        return new BigDecimal(load)
                .round(new MathContext(3, RoundingMode.HALF_EVEN))
                .doubleValue();
    }
}
