package io.phaseload.diagnosis.evidence;

import io.phaseload.diagnosis.statistics.Significance;
import io.phaseload.plan.Phase;
import io.phaseload.verdict.rules.Wording;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One run.
 *
 * @param phases those that were reached, in order
 * @param clientLimited true if the client itself may be why things were slow, so that nothing can be concluded of the
 *     target from times
 * @param asksToClose true if requests ask that their connection be closed, or the client closes it itself after a while
 * @param named {@code true} if the target, or the proxy before it, has a name that is looked up; {@code false} for
 *     addresses in digits and Unix domain sockets
 * @param statusChecked the names of the operations whose status the plan checks, or whose redirects it follows
 * @param fixed the names of the operations that read the same thing each time
 * @param findable the names of these, and of the operations whose path and body hold only values that the target itself
 *     gave
 */
public record RunSeries(
        List<PhaseSeries> phases,
        boolean clientLimited,
        boolean asksToClose,
        boolean named,
        Set<String> statusChecked,
        Set<String> fixed,
        Set<String> findable) {

    /** A run against a name, of operations of which nothing is known. */
    public RunSeries(List<PhaseSeries> phases, boolean clientLimited, boolean asksToClose) {
        this(phases, clientLimited, asksToClose, true, Set.of(), Set.of(), Set.of());
    }

    /** The names of the measured phases, so without a warmup if there are others. */
    public List<String> measured() {
        return Phase.measured(phases.stream().map(PhaseSeries::name).toList());
    }

    /** The words for its requests. */
    public Wording words() {
        return phases.get(0).words();
    }

    /**
     * A phase with fewer users in which significantly fewer requests failed in some ways.
     *
     * @param many the phase to compare it with
     * @param such the failures of a phase
     * @return the first such phase, if any
     */
    public Optional<PhaseSeries> withFewer(PhaseSeries many, Function<PhaseSeries, FailedRequests> such) {
        return phases.stream()
                .filter(few -> few.users() < many.users())
                .filter(few -> Significance.isMore(
                        such.apply(few).count(),
                        few.all().requests(),
                        such.apply(many).count(),
                        many.all().requests()))
                .findFirst();
    }
}
