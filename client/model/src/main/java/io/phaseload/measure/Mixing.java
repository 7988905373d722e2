package io.phaseload.measure;

/** SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
public final class Mixing {

    /** The distance of one state to the next. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private Mixing() {}

    /**
     * A number that looks random.
     *
     * @return another one for each number
     */
    public static long mix(long number) {
        long mixed = number * STEP;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
