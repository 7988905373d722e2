package io.phaseload.engine;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Looks at the platform threads that a run made in this JVM. */
public final class ClientThreads {

    private static final Pattern USER = Pattern.compile("phaseload-[a-z0-9_-]+-\\d+");

    private ClientThreads() {}

    /**
     * Names of the users' threads that are alive.
     *
     * @return sorted names
     */
    public static List<String> users() {
        return all().stream().filter(ClientThreads::isUser).toList();
    }

    /** The users' threads that are alive, by the ids that management knows them by. */
    static long[] userIds() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> isUser(thread.getName()))
                .mapToLong(Thread::getId)
                .toArray();
    }

    private static boolean isUser(String name) {
        return USER.matcher(name).matches();
    }

    /**
     * Waits until none of a run's threads is left, helpers included.
     *
     * @return names of those that are still alive after ten seconds
     */
    public static List<String> awaitNone() throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        List<String> left = all();
        while (!left.isEmpty() && System.nanoTime() - end < 0) {
            // A thread that is known by name alone can't be joined.
            Thread.sleep(1);
            left = all();
        }
        return left;
    }

    /**
     * Names of all threads of runs that are alive, helpers included.
     *
     * @return sorted names
     */
    static List<String> all() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("phaseload-"))
                .sorted()
                .toList();
    }
}
