package io.phaseload.run;

import io.phaseload.plan.share.Part;
import java.util.List;

/**
 * The clients that run a plan together, each its part, as the engine of one of them sees them. A client is known by its
 * place in {@link #parts()}. Thread-safe.
 */
public interface Partners {

    /**
     * The clients' parts.
     *
     * @return those of all clients, which together have every turn
     */
    List<Part> parts();

    /**
     * Which of them this client is.
     *
     * @return its place in {@link #parts()}
     */
    int own();

    /**
     * Sends a message to another client's engine, which gets those of this one in order. While that client can't be
     * reached, messages wait; to one that is gone, nothing is sent.
     *
     * @param partner its place
     * @param message not changed from now on
     */
    void send(int partner, byte[] message);

    /**
     * Sets the receiver of the others' messages. It first receives earlier messages.
     *
     * @param listener called by any thread, of each partner in order; returns soon
     */
    void listen(Listener listener);

    /**
     * This client's clock, as others see it.
     *
     * @return nanoseconds, as {@link System#nanoTime()}
     */
    long now();

    /**
     * A time of another client's {@link #now()}, by this one's clock.
     *
     * @param partner its place
     * @param there by the clock of one from which a message has been received
     * @return the same time as {@link System#nanoTime()} here, with how far the truth may be from it
     */
    PartnerTime here(int partner, long there);

    /**
     * A time that isn't known exactly.
     *
     * @param nanos as {@link System#nanoTime()}
     * @param bound the largest error of that: nanoseconds, 0 or more
     */
    record PartnerTime(long nanos, long bound) {}

    /** Hears the others. */
    interface Listener {

        /**
         * A message came.
         *
         * @param partner the place of the client that sent it
         * @param message the message that it sent
         */
        void received(int partner, byte[] message);

        /**
         * Another client has ended, or couldn't be reached for too long. Nothing more comes of it.
         *
         * @param partner its place
         */
        void gone(int partner);
    }
}
