package io.phaseload.plan.journey;

import java.nio.file.Path;

/**
 * Rows of data for users, from a file. Templates take the columns of the current row as {@code name.column}. Clients
 * that share a plan share the rows, in the order in which they come: row i is for the client that has user i.
 *
 * @param name letters, digits and {@code _}
 * @param format of the file
 * @param file CSV with a row of column names, or JSON objects: one a line, or in an array
 * @param order the order of rows
 * @param each the time to take the next row
 * @param whenExhausted the action after the last row; of {@link RowOrder#RANDOM} there is none
 */
public record Feeder(String name, Format format, Path file, RowOrder order, Each each, Exhausted whenExhausted) {

    /** The most rows that are held in memory, where their order isn't the file's. */
    public static final int MOST_IN_MEMORY = 1_000_000;

    /** The content of a file. */
    public enum Format {
        /** RFC 4180, in UTF-8, with a row of column names. */
        CSV,
        /** Objects, one after another or in an array. */
        JSON
    }

    /** Which row comes next. */
    public enum RowOrder {
        /** The file's; rows are read as they are needed. */
        SEQUENTIAL,
        /** A random one, of at most {@link #MOST_IN_MEMORY} rows, and another one each time. */
        SHUFFLED,
        /** Any row each time, of at most {@link #MOST_IN_MEMORY}. */
        RANDOM
    }

    /** When the next row comes. */
    public enum Each {
        /** With each iteration of any user. */
        ITERATION,
        /** Once for each user, which keeps it for the run. */
        USER
    }

    /** The action after the last row. */
    public enum Exhausted {
        /** They begin again. */
        REPEAT,
        /** Users that need one more end. */
        STOP
    }

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it isn't one
     */
    public Feeder {
        Extraction.checkName(name);
    }

    /**
     * The same rows at another place.
     *
     * @param place see {@link #file()}
     * @return a copy
     */
    public Feeder at(Path place) {
        return new Feeder(name, format, place, order, each, whenExhausted);
    }

    /**
     * All rows of a file, in its order, one an iteration, again and again.
     *
     * @param name see {@link #name()}
     * @param format see {@link #format()}
     * @param file see {@link #file()}
     * @throws IllegalArgumentException if the name isn't one
     */
    public static Feeder of(String name, Format format, Path file) {
        return new Feeder(name, format, file, RowOrder.SEQUENTIAL, Each.ITERATION, Exhausted.REPEAT);
    }
}
