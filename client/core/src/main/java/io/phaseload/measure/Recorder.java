package io.phaseload.measure;

import java.util.List;

/** Holds what was measured in one phase. Thread-safe. */
public interface Recorder {

    /**
     * Takes what was recorded since the last call and adds it to the phase's totals.
     *
     * @return the interval's tallies, one per operation in the scenario's order, for the caller to
     *     keep
     */
    List<Tally> nextInterval();

    /**
     * Takes what was recorded since the last interval and ends the recording: called once, when all
     * users have ended.
     *
     * @return the phase's tallies, one per operation in the scenario's order
     */
    List<Tally> totals();
}
