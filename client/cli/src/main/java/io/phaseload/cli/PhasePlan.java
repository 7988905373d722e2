package io.phaseload.cli;

import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * From the options of {@code run} to phases.
 *
 * @param beside the options that were given beside a plan's file, if there is one
 */
record PhasePlan(RunOptions options, Optional<Set<String>> beside) {

    private static final long MAX_ITERATIONS = 1_000_000_000;
    private static final int DEFAULT_ITERATIONS = 100;

    /** The phases in order, each with its length and its load. */
    Phase[] phases() throws UsageException {
        PhaseLength common = length();
        Load.Closed closed = closed();
        Optional<Rate> rate = rate();
        List<PhaseList.Item> items = items(common, closed);
        boolean open = rate.isPresent() || items.stream().anyMatch(PhasePlan::isOpen);
        checkKind("--arrivals", options.arrivals, "constant", "poisson", open);
        checkKind("--overload", options.overload, "queue", "drop", open);
        Optional<String> pause = pauseOption();
        if (pause.isPresent() && items.stream().allMatch(PhasePlan::isOpen)) {
            throw new UsageException(
                    "%s: expected a phase without 'at' beside it".formatted(pause.get()));
        }
        Phase[] phases = new Phase[items.size()];
        for (int i = 0; i < phases.length; i++) {
            PhaseList.Item item = items.get(i);
            PhaseLength length = item.length() == null ? common : item.length();
            Load load = item.load() == null ? closed : item.load();
            if (item.from() != null) {
                load = open(schedule(item, length, i));
            } else if (rate.isPresent() && item.load() == null) {
                load = open(arrivals(shareOf(rate.get(), item), i));
            }
            phases[i] = new Phase(item.name(), item.share(), length, load);
        }
        return phases;
    }

    private List<PhaseList.Item> items(PhaseLength common, Load.Closed closed)
            throws UsageException {
        if (options.phaseItems == null) {
            return Checked.value("--phases", options.phases, PhaseList::parse, "name=share,…");
        }
        PhaseOverrides overrides =
                new PhaseOverrides(beside.orElseThrow(), options, common, closed);
        List<PhaseList.Item> items = new ArrayList<>();
        for (PhaseList.Item item : options.phaseItems) {
            items.add(overrides.over(item, items.size()));
        }
        return items;
    }

    private static boolean isOpen(PhaseList.Item item) {
        return item.from() != null || item.load() instanceof Load.Open;
    }

    private PhaseLength length() throws UsageException {
        if (options.duration == null) {
            long count = options.iterations == null ? DEFAULT_ITERATIONS : options.iterations;
            return new PhaseLength.Iterations(Checked.upTo(MAX_ITERATIONS, "--iterations", count));
        }
        if (options.iterations != null) {
            throw new UsageException(
                    "--iterations " + options.iterations + ": expected no --duration beside it");
        }
        return new PhaseLength.Lasting(Checked.upToADay("--duration", options.duration));
    }

    private Load.Closed closed() throws UsageException {
        Pause think = pause("--think", options.think);
        Pause pacing = pause("--pacing", options.pacing);
        if (!think.isNone() && !pacing.isNone()) {
            throw new UsageException(
                    "--pacing " + options.pacing + ": expected no --think beside it");
        }
        Duration ramp =
                options.ramp == null ? Duration.ZERO : Checked.upToADay("--ramp", options.ramp);
        return new Load.Closed(think, pacing, ramp);
    }

    private Optional<Rate> rate() throws UsageException {
        if (options.rate == null) {
            return Optional.empty();
        }
        Optional<String> pause = pauseOption();
        if (pause.isPresent()) {
            throw new UsageException(
                    "--rate " + options.rate + ": expected no " + pause.get() + " beside it");
        }
        return Optional.of(Checked.value("--rate", options.rate, Rate::parse, "a rate"));
    }

    private Load.Open open(Schedule schedule) {
        return new Load.Open(schedule, overload(options.overload));
    }

    static Load.Overload overload(String kind) {
        return "drop".equals(kind) ? Load.Overload.DROP : Load.Overload.QUEUE;
    }

    /** Each phase its own numbers. */
    static long seed(RunOptions options, int phase) {
        return options.seed * 31 + phase;
    }

    /** An option of closed models alone, if one is given. */
    private Optional<String> pauseOption() {
        if (options.think != null) {
            return Optional.of("--think");
        }
        if (options.pacing != null) {
            return Optional.of("--pacing");
        }
        return options.ramp != null ? Optional.of("--ramp") : Optional.empty();
    }

    /** What is said of an open model must be one of two words, and there must be an open model. */
    private static void checkKind(
            String option, String value, String usual, String other, boolean open)
            throws UsageException {
        if (value != null && !value.equals(usual) && !value.equals(other)) {
            throw new UsageException(
                    "%s %s: expected %s or %s".formatted(option, value, usual, other));
        }
        if (value != null && !open) {
            throw new UsageException(
                    "%s %s: expected --rate, or 'at' in --phases, beside it"
                            .formatted(option, value));
        }
    }

    private Rate shareOf(Rate rate, PhaseList.Item item) throws UsageException {
        try {
            return rate.times(item.share());
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--rate %s: expected a rate that can be multiplied by the share of %s"
                            .formatted(options.rate, item.name()));
        }
    }

    private Schedule schedule(PhaseList.Item item, PhaseLength length, int phase)
            throws UsageException {
        if (item.to() == null) {
            return arrivals(item.from(), phase);
        }
        if (!(length instanceof PhaseLength.Lasting timed)) {
            throw new UsageException(
                    "--phases %s: expected 'for' and a time beside the ramp of %s"
                            .formatted(options.phases, item.name()));
        }
        if (options.arrivals != null && !options.arrivals.equals("constant")) {
            throw new UsageException(
                    "--arrivals %s: expected constant beside the ramp of %s"
                            .formatted(options.arrivals, item.name()));
        }
        return new RampArrivals(item.from(), item.to(), timed.duration());
    }

    private Schedule arrivals(Rate rate, int phase) {
        return "poisson".equals(options.arrivals)
                ? new PoissonArrivals(rate, seed(options, phase))
                : new ConstantArrivals(rate);
    }

    private static Pause pause(String option, String text) throws UsageException {
        return text == null
                ? Pause.NONE
                : Checked.value(option, text, PhasePlan::pause, "a time, or 100ms..300ms");
    }

    private static Pause pause(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return Pause.of(Quantities.parseDuration(text, true));
        }
        return new Pause(
                Quantities.parseDuration(text.substring(0, dots), true),
                Quantities.parseDuration(text.substring(dots + 2), true));
    }
}
