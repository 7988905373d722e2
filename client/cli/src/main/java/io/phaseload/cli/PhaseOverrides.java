package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.plan.Load;
import io.phaseload.plan.PhaseLength;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Schedule;
import java.util.Set;

/**
 * What the command line says beside a plan's file holds for every phase of the file, whatever the
 * phase says of it.
 *
 * @param given the long names of the options on the command line
 * @param options of the command line and the file together
 * @param length what phases last that don't say it
 * @param closed the pauses of the options
 */
record PhaseOverrides(
        Set<String> given, RunOptions options, PhaseLength length, Load.Closed closed) {

    /** A phase of the file as the command line wants it. */
    PhaseList.Item over(PhaseList.Item item, int index) throws UsageException {
        boolean lasts = given.contains("--duration") || given.contains("--iterations");
        PhaseLength own = lasts ? null : item.length();
        boolean paused = Set.of("--think", "--pacing", "--ramp").stream().anyMatch(given::contains);
        if (given.contains("--rate") || (paused && !(item.load() instanceof Load.Closed))) {
            return new PhaseList.Item(item.name(), item.share(), own, null, null);
        }
        Load load = item.load();
        if (paused) {
            load = over((Load.Closed) load);
        } else if (load instanceof Load.Open open) {
            load =
                    new Load.Open(
                            over(open.schedule(), own == null ? length : own, item, index),
                            given.contains("--overload")
                                    ? PhasePlan.overload(options.overload)
                                    : open.overload());
        }
        return new PhaseList.Item(item.name(), item.share(), own, item.from(), item.to(), load);
    }

    private Load.Closed over(Load.Closed own) {
        boolean between = given.contains("--think") || given.contains("--pacing");
        return new Load.Closed(
                between ? closed.think() : own.think(),
                between ? closed.pacing() : own.pacing(),
                given.contains("--ramp") ? closed.ramp() : own.ramp());
    }

    private Schedule over(Schedule own, PhaseLength lasting, PhaseList.Item item, int index)
            throws UsageException {
        if (own instanceof RampArrivals ramp && lasting instanceof PhaseLength.Lasting timed) {
            checkConstant(item);
            return new RampArrivals(ramp.from(), ramp.to(), timed.duration());
        }
        if (own instanceof ConstantArrivals constant) {
            return "poisson".equals(options.arrivals) && given.contains("--arrivals")
                    ? new PoissonArrivals(constant.rate(), PhasePlan.seed(options, index))
                    : constant;
        }
        if (own instanceof PoissonArrivals poisson) {
            if ("constant".equals(options.arrivals) && given.contains("--arrivals")) {
                return new ConstantArrivals(poisson.rate());
            }
            return given.contains("--seed")
                    ? new PoissonArrivals(poisson.rate(), PhasePlan.seed(options, index))
                    : poisson;
        }
        checkConstant(item);
        return own;
    }

    private void checkConstant(PhaseList.Item item) throws UsageException {
        if (given.contains("--arrivals") && "poisson".equals(options.arrivals)) {
            throw new UsageException(
                    "--arrivals poisson: expected constant beside the schedule of " + item.name());
        }
    }
}
