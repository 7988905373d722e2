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
 * How long the threads that send requests waited for a CPU: the second number of {@code schedstat}
 * of each thread of the process. Of many threads only some are read, and count for the others.
 */
final class RunQueue {

    /** Threads of users and event loops begin with it, and in their JDK's pool virtual threads'. */
    private static final String[] NAMES = {"phaseload-", "ForkJoinPool-1-"};

    private static final int MOST_READ = 500;

    private final Path tasks;
    private int everyOne = 1;

    RunQueue(Path tasks) {
        this.tasks = tasks;
    }

    /** Nanoseconds by thread; empty where the system doesn't tell. */
    Map<String, Long> waits() {
        String[] threads = tasks.toFile().list();
        Map<String, Long> waits = new HashMap<>();
        if (threads == null) {
            return waits;
        }
        if (threads.length / everyOne > MOST_READ) {
            everyOne = threads.length / MOST_READ + 1;
        }
        for (String thread : threads) {
            if (Integer.parseInt(thread) % everyOne == 0 && sends(thread)) {
                String[] fields = read(thread, "schedstat").split(" ");
                if (fields.length >= 2) {
                    waits.put(thread, Long.parseLong(fields[1]));
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
    Duration between(Map<String, Long> from, Map<String, Long> to) {
        long sum = 0;
        for (Map.Entry<String, Long> thread : to.entrySet()) {
            sum += thread.getValue() - from.getOrDefault(thread.getKey(), 0L);
        }
        return Duration.ofNanos(sum * everyOne);
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
