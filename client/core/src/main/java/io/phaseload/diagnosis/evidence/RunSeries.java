package io.phaseload.diagnosis.evidence;

import java.util.List;

/**
 * One run.
 *
 * @param phases those that were reached, in order
 * @param clientLimited whether the client itself may be why things were slow, so that nothing can
 *     be concluded of the target from times
 * @param asksToClose whether requests themselves ask that their connection be closed
 */
public record RunSeries(List<PhaseSeries> phases, boolean clientLimited, boolean asksToClose) {}
