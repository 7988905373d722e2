package io.phaseload.journey.rows;

import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.share.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The rows of a data file, handed out to users: each once, until they begin again. Those in the file's order are read
 * as they are needed. Clients that share a plan deal the rows as they deal users, in turns, so that together they hand
 * out what one of them would. Thread-safe.
 */
public final class FeederRows implements AutoCloseable {

    private final Feeder feeder;
    private final List<String> columns;
    private final Part part;
    private final Random random;
    // Guarded by this: the file, or the rows in memory and how many of them were handed out.
    private RowReader reader;
    private List<String[]> held = new ArrayList<>();
    private int handedOut;
    // How many rows came by since the first one, with those of other parts.
    private long passed;

    /**
     * Opens a file, and looks at its first row.
     *
     * @param columns the values of a row, in order
     * @param seed of a random order
     * @throws IllegalArgumentException if it can't be read, lacks a column or has no rows
     */
    public FeederRows(Feeder feeder, List<String> columns, Part part, long seed) {
        this.feeder = feeder;
        this.columns = columns;
        this.part = part;
        this.random = new Random(seed);
        this.reader = open();
        if (!reader.hasNext()) {
            close();
            throw failure("expected at least one row");
        }
    }

    /**
     * Reads all rows, unless their order is the file's.
     *
     * @throws IllegalArgumentException if they are too many, or one can't be read
     */
    public FeederRows held() {
        if (feeder.order() != Feeder.RowOrder.SEQUENTIAL) {
            hold();
        }
        return this;
    }

    private void hold() {
        while (reader.hasNext()) {
            if (held.size() == Feeder.MOST_IN_MEMORY) {
                close();
                throw failure("expected at most %,d rows, or the order sequential".formatted(Feeder.MOST_IN_MEMORY));
            }
            held.add(reader.next());
        }
        close();
        shuffle();
    }

    private void shuffle() {
        handedOut = 0;
        if (feeder.order() == Feeder.RowOrder.SHUFFLED) {
            Collections.shuffle(held, random);
        }
    }

    private RowReader open() {
        try {
            return RowReader.open(feeder, columns);
        } catch (IOException e) {
            throw failure("expected a file that can be read");
        }
    }

    private IllegalArgumentException failure(String what) {
        return new IllegalArgumentException("data %s: %s: %s".formatted(feeder.name(), feeder.file(), what));
    }

    public Feeder feeder() {
        return feeder;
    }

    /**
     * The next row.
     *
     * @param own the user's
     * @return {@code null} after the last one, if they don't begin again
     */
    public synchronized String[] next(SplittableRandom own) {
        if (feeder.order() == Feeder.RowOrder.RANDOM) {
            // Nothing to share: a user takes the same rows on any client.
            return held.get(own.nextInt(held.size()));
        }
        String[] row = nextOfAll();
        while (row != null && !part.has(passed++)) {
            row = nextOfAll();
        }
        return row;
    }

    private String[] nextOfAll() {
        return feeder.order() == Feeder.RowOrder.SEQUENTIAL ? nextOfFile() : nextHeld();
    }

    private String[] nextOfFile() {
        if (!reader.hasNext()) {
            if (feeder.whenExhausted() == Feeder.Exhausted.STOP) {
                return null;
            }
            close();
            reader = open();
        }
        return reader.next();
    }

    private String[] nextHeld() {
        if (handedOut == held.size()) {
            if (feeder.whenExhausted() == Feeder.Exhausted.STOP) {
                return null;
            }
            shuffle();
        }
        return held.get(handedOut++);
    }

    @Override
    public synchronized void close() {
        reader.close();
    }
}
