package io.phaseload.events;

import io.phaseload.measure.Recorder;
import io.phaseload.measure.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Adds up what the loops of a phase have recorded, each of which is asked in its own thread. */
final class LoopRecorder implements Recorder {

    private final Supplier<List<List<Tally>>> loops;
    // Guarded by this.
    private final List<Tally> totals;

    /**
     * Creates an empty recorder.
     *
     * @param operations how many operations the scenario has
     * @param loops takes from each loop what it recorded since the last time
     */
    LoopRecorder(int operations, Supplier<List<List<Tally>>> loops) {
        this.loops = loops;
        this.totals = newTallies(operations);
    }

    @Override
    public synchronized List<Tally> nextInterval() {
        List<Tally> interval = newTallies(totals.size());
        for (List<Tally> recorded : loops.get()) {
            addEach(interval, recorded);
        }
        addEach(totals, interval);
        return interval;
    }

    @Override
    public synchronized List<Tally> totals() {
        nextInterval();
        return totals;
    }

    private static List<Tally> newTallies(int operations) {
        List<Tally> tallies = new ArrayList<>(operations);
        for (int i = 0; i < operations; i++) {
            tallies.add(new Tally());
        }
        return tallies;
    }

    private static void addEach(List<Tally> sums, List<Tally> more) {
        for (int i = 0; i < sums.size(); i++) {
            sums.get(i).add(more.get(i));
        }
    }
}
