package io.phaseload.diagnosis.evidence;

import java.util.List;
import java.util.Set;

/**
 * One run.
 *
 * @param phases those that were reached, in order
 * @param clientLimited whether the client itself may be why things were slow, so that nothing can be concluded of the
 *     target from times
 * @param asksToClose whether requests themselves ask that their connection be closed
 * @param named {@code true} if the target, or the proxy before it, has a name that is looked up; {@code false} for
 *     addresses in digits and Unix domain sockets
 * @param statusChecked the names of the operations whose status the plan checks, or whose redirects it follows
 * @param fixed the names of the operations that read the same thing each time
 */
public record RunSeries(
        List<PhaseSeries> phases,
        boolean clientLimited,
        boolean asksToClose,
        boolean named,
        Set<String> statusChecked,
        Set<String> fixed) {

    /** A run against a name, of operations of which nothing is known. */
    public RunSeries(List<PhaseSeries> phases, boolean clientLimited, boolean asksToClose) {
        this(phases, clientLimited, asksToClose, true, Set.of(), Set.of());
    }
}
