package io.phaseload.measure.recording;

import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Holds the measurements of one phase in little memory: sums are packed, but for what few times were added last.
 * Thread-safe.
 */
public final class Recorder {

    private final Consumer<List<Tally>> drain;
    private final Supplier<List<RequestSampler>> samplers;
    // Guarded by this.
    private final List<Tally> sums;
    private final List<Tally> latest;

    /**
     * Creates an empty recorder.
     *
     * @param tallies the number of tallies: one an operation, then what is timed as a whole
     * @param drain adds what was recorded since the last call to empty tallies
     * @param samplers the samplers of requests
     */
    public Recorder(int tallies, Consumer<List<Tally>> drain, Supplier<List<RequestSampler>> samplers) {
        this.drain = drain;
        this.samplers = samplers;
        this.sums = Tallies.newList(tallies);
        this.latest = Tallies.newList(tallies);
    }

    /**
     * Drains what was recorded since the last call, and adds it to the phase's totals.
     *
     * @return the interval's tallies, one per operation in the scenario's order, then one for each journey or group,
     *     for the caller to keep
     */
    public synchronized List<Tally> nextInterval() {
        List<Tally> interval = Tallies.newList(sums.size());
        drain.accept(interval);
        Tallies.addEach(latest, interval);
        for (int i = 0; i < latest.size(); i++) {
            if (latest.get(i).isLarge()) {
                settle(i);
            }
        }
        return interval;
    }

    private void settle(int index) {
        sums.get(index).add(latest.get(index));
        sums.get(index).pack();
        latest.get(index).reset();
    }

    /**
     * The sums of all intervals so far.
     *
     * @return copies, in the same order
     */
    public synchronized List<Tally> soFar() {
        return Tallies.sumEach(sums.size(), List.of(settled()));
    }

    /**
     * Drains the rest and ends the recording. Called once, when all users have ended.
     *
     * @return the phase's tallies, in the same order
     */
    public synchronized List<Tally> totals() {
        nextInterval();
        return settled();
    }

    private List<Tally> settled() {
        for (int i = 0; i < latest.size(); i++) {
            settle(i);
        }
        return sums;
    }

    /**
     * Some of the phase's requests, one by one. Called when the recording has ended.
     *
     * @param startNanos the phase's start, as {@link System#nanoTime()}
     * @return their sample
     */
    public RequestSample sample(long startNanos) {
        return RequestSample.of(samplers.get(), startNanos);
    }
}
