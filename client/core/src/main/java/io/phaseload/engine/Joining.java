package io.phaseload.engine;

/** Waiting for threads that are known to end. */
public final class Joining {

    private Joining() {}

    /**
     * Waits for a thread to end; an interrupt is kept for later.
     *
     * @param thread one that ends by itself
     */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
