package io.phaseload.lambda.local;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** The instances of one function, each used by one event at a time. Safe for use by threads. */
public final class Instances {

    private final Supplier<RequestStreamHandler> function;
    private final Semaphore room;
    private final Duration coldStart;
    private final Deque<RequestStreamHandler> idle = new ConcurrentLinkedDeque<>();

    /**
     * Makes a function without any instance yet.
     *
     * @param function makes an instance
     * @param limit the number of instances that there are at most, 1 or more
     * @param coldStart the time that the start of one takes, at least
     */
    public Instances(Supplier<RequestStreamHandler> function, int limit, Duration coldStart) {
        this.function = function;
        this.room = new Semaphore(limit);
        this.coldStart = coldStart;
    }

    /**
     * Takes the instance that was used last of those that are idle, or starts one.
     *
     * @return the instance, to be given back, or null if all that are allowed are busy
     * @throws InterruptedException if the thread is interrupted while one is starting
     */
    RequestStreamHandler take() throws InterruptedException {
        RequestStreamHandler instance = idle.pollFirst();
        if (instance != null) {
            return instance;
        }
        if (!room.tryAcquire()) {
            // One may have become idle since.
            return idle.pollFirst();
        }
        try {
            Thread.sleep(coldStart.toMillis());
            instance = function.get();
            return instance;
        } finally {
            if (instance == null) {
                room.release();
            }
        }
    }

    void giveBack(RequestStreamHandler instance) {
        idle.addFirst(instance);
    }
}
