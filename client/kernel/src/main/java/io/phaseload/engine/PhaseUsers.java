package io.phaseload.engine;

import io.phaseload.health.LoopLag;
import io.phaseload.host.PoolUse;
import io.phaseload.host.TcpConnection;
import io.phaseload.measure.recording.Recorder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The users of one phase, as an engine gives them to a {@link RunController}. The controller's thread calls
 * {@link #ready()}, {@link #release()}, {@link #await()} and {@link #close()}, each once and in this order; after an
 * exception, or a stop before the release, {@link #close()} alone.
 */
public interface PhaseUsers {

    /**
     * Gets all users ready to send.
     *
     * @throws InterruptedException if the calling thread was interrupted
     * @throws NoThreadException if the system has too few threads
     */
    void ready() throws InterruptedException;

    /**
     * Calls {@link PhaseAccounting#startClock()}, and lets all users send.
     *
     * @throws InterruptedException if the calling thread was interrupted
     */
    void release() throws InterruptedException;

    /**
     * Returns when the last user has ended and {@link PhaseAccounting#stopClock} was called.
     *
     * @throws InterruptedException if the calling thread was interrupted
     */
    void await() throws InterruptedException;

    /**
     * The run is being stopped: requests in flight are cut off after a limit. May be called at any time, from any
     * thread, more than once.
     *
     * @param limit the time that requests in flight may go on
     */
    void drain(Duration limit);

    /** {@return {@code true} if the phase's load can be changed while they run} */
    default boolean steerable() {
        return false;
    }

    /**
     * The phase's load was changed: users that wait decide again. May be called at any time, from any thread.
     *
     * @param users the number of users that there must be; more are added
     * @throws IllegalArgumentException with a line for people, if not all could be added
     */
    default void changed(int users) {}

    /**
     * The recorder of their requests.
     *
     * @return the same one at each call
     */
    Recorder recorder();

    /**
     * How late their event loops have been so far; may be asked by any thread.
     *
     * @return that of the latest one; empty if they have none
     */
    default Optional<LoopLag> lag() {
        return Optional.empty();
    }

    /**
     * How a few of their connections are, others each time; may be asked by any thread.
     *
     * @return none if they don't report
     */
    default List<TcpConnection> connections() {
        return List.of();
    }

    /**
     * The current state of the pool that they share; may be called by any thread.
     *
     * @return empty if they share none
     */
    default Optional<PoolUse> pool() {
        return Optional.empty();
    }

    /** Returns when nothing is left of them but their records; an interrupt is kept for later. */
    void close();
}
