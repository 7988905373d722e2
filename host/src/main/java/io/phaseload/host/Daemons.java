package io.phaseload.host;

import java.util.concurrent.ThreadFactory;

/** Threads that don't keep a JVM running. */
public final class Daemons {

    private Daemons() {}

    /**
     * Makes threads with a name.
     *
     * @param name of each thread
     * @return a factory of threads that are not started
     */
    public static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
