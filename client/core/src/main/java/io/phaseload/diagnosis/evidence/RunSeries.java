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
 * @param statusChecked the names of the operations whose status the plan checks
 */
public record RunSeries(
        List<PhaseSeries> phases,
        boolean clientLimited,
        boolean asksToClose,
        boolean named,
        Set<String> statusChecked) {

    /** A run against a name. */
    public RunSeries(List<PhaseSeries> phases, boolean clientLimited, boolean asksToClose) {
        this(phases, clientLimited, asksToClose, true, Set.of());
    }
}
