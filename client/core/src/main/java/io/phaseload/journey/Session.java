package io.phaseload.journey;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * What one user remembers within an iteration: variables, values that it took from responses, its
 * row of data, and its random numbers. Owned by one thread.
 */
public final class Session {

    private final JourneyData data;
    private final int user;
    private final SplittableRandom random;
    private final String[] values;
    private final Bytes head = new Bytes();
    private final Bytes body = new Bytes();
    private long iteration;

    Session(JourneyData data, int user, SplittableRandom random) {
        this.data = data;
        this.user = user;
        this.random = random;
        this.values = new String[data.slots().count()];
        Arrays.fill(values, "");
        data.setVariables(values);
    }

    /**
     * Begins the next iteration, which remembers nothing of the one before.
     *
     * @param program what it does: of the data that it takes, the next rows are taken
     * @return whether there is data for it
     */
    public boolean begin(Program program) {
        iteration = data.nextIteration(user);
        Arrays.fill(values, data.slots().variables(), data.slots().extracted(), "");
        return data.load(program.feeders(), user, random, values);
    }

    String value(int slot) {
        return values[slot];
    }

    void set(int slot, String value) {
        values[slot] = value;
    }

    long user() {
        return user;
    }

    long iteration() {
        return iteration;
    }

    long nextCount() {
        return data.nextCount();
    }

    long random(long from, long to) {
        // A range of all but a few numbers is wider than a long.
        return from == to
                ? from
                : to == Long.MAX_VALUE ? random.nextLong(from, to) : random.nextLong(from, to + 1);
    }

    String uuid() {
        long high = random.nextLong() & ~0xf000L | 0x4000L;
        long low = random.nextLong() & ~(0b11L << 62) | 0b10L << 62;
        return new UUID(high, low).toString();
    }

    /** Where a request's header is written; what was there is gone. */
    public Bytes head() {
        head.clear();
        return head;
    }

    /** Where a request's body is written; what was there is gone. */
    public Bytes body() {
        body.clear();
        return body;
    }
}
