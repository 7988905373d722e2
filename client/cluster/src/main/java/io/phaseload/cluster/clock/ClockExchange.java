package io.phaseload.cluster.clock;

/**
 * A message to another machine and its answer (RFC 5905 §8), each time by the clock of the machine where it happened:
 * {@link System#nanoTime()} on both, which nothing steps.
 *
 * <p>Nothing arrives before it is sent. So whatever the routes are like, the other clock is ahead by at least <i>t3 −
 * t4</i> and at most <i>t2 − t1</i> nanoseconds, which are the round trip apart.
 *
 * @param sent t1: when the message was sent here
 * @param received t2: when it arrived there
 * @param answered t3: when the answer was sent there
 * @param returned t4: when it arrived here
 */
public record ClockExchange(long sent, long received, long answered, long returned) {

    /** {@return by how much the other clock is ahead at least: nanoseconds, may be negative} */
    public long lower() {
        return answered - returned;
    }

    /** {@return by how much the other clock is ahead at most: nanoseconds, may be negative} */
    public long upper() {
        return received - sent;
    }

    /** {@return the time that both messages were under way together: nanoseconds} */
    public long delay() {
        return upper() - lower();
    }
}
