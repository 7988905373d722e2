package io.phaseload.events;

import io.phaseload.measure.PhaseTotals;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.Recorder;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.measure.recording.RequestSampler;
import java.util.List;
import java.util.function.Supplier;

/** Adds up what the loops of a phase have recorded. Each loop is drained in its own thread. */
public final class LoopRecorder implements Recorder {

    private final Supplier<List<List<Tally>>> loops;
    private final Supplier<List<RequestSampler>> samplers;
    private final int operations;
    // Guarded by this.
    private final PhaseTotals totals;

    /**
     * Creates an empty recorder.
     *
     * @param operations the number of tallies: one an operation, then what is timed as a whole
     * @param loops drains what each loop recorded since the last time
     * @param samplers each loop's sampler of requests
     */
    public LoopRecorder(int operations, Supplier<List<List<Tally>>> loops, Supplier<List<RequestSampler>> samplers) {
        this.loops = loops;
        this.samplers = samplers;
        this.operations = operations;
        this.totals = new PhaseTotals(operations);
    }

    @Override
    public synchronized List<Tally> nextInterval() {
        List<Tally> interval = Tallies.newList(operations);
        for (List<Tally> recorded : loops.get()) {
            Tallies.addEach(interval, recorded);
        }
        totals.add(interval);
        return interval;
    }

    @Override
    public synchronized List<Tally> soFar() {
        return Tallies.sumEach(operations, List.of(totals.sums()));
    }

    @Override
    public synchronized List<Tally> totals() {
        nextInterval();
        return totals.sums();
    }

    @Override
    public RequestSample sample(long startNanos) {
        return RequestSample.of(samplers.get(), startNanos);
    }
}
