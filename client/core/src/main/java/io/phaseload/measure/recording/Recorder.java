package io.phaseload.measure.recording;

import io.phaseload.measure.Tally;
import java.util.List;

/** Holds the measurements of one phase. Thread-safe. */
public interface Recorder {

    /**
     * Drains what was recorded since the last call, and adds it to the phase's totals.
     *
     * @return the interval's tallies, one per operation in the scenario's order, then one for each journey or group,
     *     for the caller to keep
     */
    List<Tally> nextInterval();

    /**
     * The sums of all intervals so far.
     *
     * @return copies, in the same order
     */
    List<Tally> soFar();

    /**
     * Drains the rest and ends the recording. Called once, when all users have ended.
     *
     * @return the phase's tallies, in the same order
     */
    List<Tally> totals();

    /**
     * Some of the phase's requests, one by one. Called when the recording has ended.
     *
     * @param startNanos the phase's start, as {@link System#nanoTime()}
     * @return their sample
     */
    RequestSample sample(long startNanos);
}
