package io.phaseload.health;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How long the threads that send requests waited for a CPU, and how often they got one: the second
 * and the third number of {@code schedstat} of each thread of the process. Of many threads only
 * some are read, and count for the others.
 */
final class RunQueue {

    /** Threads of users and event loops begin with it, and in their JDK's pool virtual threads'. */
    private static final String[] NAMES = {"phaseload-", "ForkJoinPool-1-"};

    private static final int MOST_READ = 500;

    private static final RunQueueWait NONE = new RunQueueWait(Duration.ZERO, 0);

    private final Path tasks;
    private int everyOne = 1;

    RunQueue(Path tasks) {
        this.tasks = tasks;
    }

    /** By thread; empty where the system doesn't report it. */
    Map<String, RunQueueWait> waits() {
        String[] threads = tasks.toFile().list();
        Map<String, RunQueueWait> waits = new HashMap<>();
        if (threads == null) {
            return waits;
        }
        if (threads.length / everyOne > MOST_READ) {
            everyOne = threads.length / MOST_READ + 1;
        }
        for (String thread : threads) {
            if (Integer.parseInt(thread) % everyOne == 0 && sends(thread)) {
                String[] fields = read(thread, "schedstat").split(" ");
                if (fields.length >= 3) {
                    waits.put(
                            thread,
                            new RunQueueWait(
                                    Duration.ofNanos(Long.parseLong(fields[1])),
                                    Long.parseLong(fields[2])));
                }
            }
        }
        return waits;
    }

    private boolean sends(String thread) {
        String name = read(thread, "comm");
        return Arrays.stream(NAMES).anyMatch(name::startsWith);
    }

    /** Of threads that are still there; those that weren't there before begin with nothing. */
    RunQueueWait between(Map<String, RunQueueWait> from, Map<String, RunQueueWait> to) {
        RunQueueWait sum = NONE;
        for (Map.Entry<String, RunQueueWait> thread : to.entrySet()) {
            sum = sum.plus(thread.getValue().minus(from.getOrDefault(thread.getKey(), NONE)));
        }
        return sum.times(everyOne);
    }

    private String read(String thread, String file) {
        try {
            byte[] bytes = Files.readAllBytes(tasks.resolve(thread).resolve(file));
            return new String(bytes, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            // The thread has ended.
            return "";
        }
    }
}
