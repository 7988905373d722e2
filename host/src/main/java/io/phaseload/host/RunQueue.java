package io.phaseload.host;

import io.phaseload.host.linux.RunQueueWait;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How long threads of this process waited for a CPU: {@code schedstat} of each. Of many threads only some are read, and
 * count for the others: a read is two system calls and a hundredth of a millisecond.
 */
final class RunQueue {

    private static final int MOST_READ = 100;

    private final Path tasks;
    private final Predicate<String> wanted;
    private final Map<String, Boolean> known = new HashMap<>();
    // More than any of these files holds.
    private final byte[] buffer = new byte[256];
    private int everyOne = 1;

    /**
     * Of threads that are known by their names.
     *
     * @param tasks the folder of the process's threads
     * @param wanted the wanted
     */
    RunQueue(Path tasks, Predicate<String> wanted) {
        this.tasks = tasks;
        this.wanted = wanted;
    }

    /** Those of now; none if the system doesn't report it. */
    ThreadWaits read() {
        String[] threads = tasks.toFile().list();
        Map<String, RunQueueWait> waits = new HashMap<>();
        if (threads == null) {
            return new ThreadWaits(waits, everyOne);
        }
        // Doubled, so that those that are read now were read before.
        while (threads.length / everyOne > MOST_READ) {
            everyOne *= 2;
        }
        for (String thread : threads) {
            if (Integer.parseInt(thread) % everyOne == 0 && isWanted(thread)) {
                RunQueueWait.parse(read(thread, "schedstat")).ifPresent(wait -> waits.put(thread, wait));
            }
        }
        return new ThreadWaits(waits, everyOne);
    }

    /** A thread has its name before it does anything, and keeps it. */
    private boolean isWanted(String thread) {
        return known.computeIfAbsent(thread, id -> wanted.test(read(id, "comm").strip()));
    }

    private String read(String thread, String file) {
        try (InputStream in = new FileInputStream(new File(tasks.toFile(), thread + "/" + file))) {
            int length = Math.max(0, in.read(buffer));
            return new String(buffer, 0, length, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            // The thread has ended.
            return "";
        }
    }
}
