package io.phaseload.engine;

/** Waits for something that will end. */
public final class Joining {

    /** A wait that an interrupt ends early. */
    @FunctionalInterface
    public interface InterruptibleWait {

        /**
         * Returns at the end.
         *
         * @throws InterruptedException if the thread was interrupted before
         */
        void await() throws InterruptedException;
    }

    private Joining() {}

    /**
     * Waits until the end; an interrupt is kept for later.
     *
     * @param end the wait, such as for a thread's end
     */
    public static void join(InterruptibleWait end) {
        boolean interrupted = false;
        while (true) {
            try {
                end.await();
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
