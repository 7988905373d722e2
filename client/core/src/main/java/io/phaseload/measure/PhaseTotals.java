package io.phaseload.measure;

import java.util.List;

/**
 * Adds up the intervals of a phase in little memory: sums are packed, but for what few times were added last.
 *
 * <p>Not thread-safe: it is owned by one recorder.
 */
public final class PhaseTotals {

    private final List<Tally> sums;
    private final List<Tally> latest;

    /**
     * Creates empty sums.
     *
     * @param tallies their number
     */
    public PhaseTotals(int tallies) {
        sums = Tallies.newList(tallies);
        latest = Tallies.newList(tallies);
    }

    /**
     * Adds an interval.
     *
     * @param interval as many tallies, which aren't changed
     */
    public void add(List<Tally> interval) {
        for (int i = 0; i < latest.size(); i++) {
            Tally recent = latest.get(i);
            recent.add(interval.get(i));
            if (recent.isLarge()) {
                settle(i);
            }
        }
    }

    /** {@return the sums, one for each tally of an interval: not to be changed} */
    public List<Tally> sums() {
        for (int i = 0; i < latest.size(); i++) {
            settle(i);
        }
        return sums;
    }

    private void settle(int index) {
        sums.get(index).add(latest.get(index));
        sums.get(index).pack();
        latest.get(index).reset();
    }
}
