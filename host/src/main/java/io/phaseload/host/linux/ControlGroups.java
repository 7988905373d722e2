package io.phaseload.host.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The control groups that this process is in, of version 2 and of version 1; see cgroups(7).
 *
 * @param root of the file system that {@code proc} and {@code sys/fs/cgroup} are in
 */
public record ControlGroups(Path root) {

    private static final Pattern MICROS = Pattern.compile("(?m)^throttled_usec ");
    private static final Pattern NANOS = Pattern.compile("(?m)^throttled_time ");

    /**
     * Those of this system.
     *
     * @return below {@code /}
     */
    public static ControlGroups ofThisSystem() {
        return new ControlGroups(Path.of("/"));
    }

    /**
     * The folders of the process's group and of those around it, each of which limits it.
     *
     * @param controller such as {@code cpu}
     * @return from the inside to the outside; none where the system has no such groups
     */
    public List<Path> of(String controller) {
        try (Stream<String> lines = Files.lines(root.resolve("proc/self/cgroup"))) {
            return lines.map(line -> line.split(":", 3))
                    .filter(parts -> parts.length == 3 && parts[2].startsWith("/"))
                    .flatMap(parts -> folders(controller, parts[1], parts[2].substring(1)))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Of a line such as {@code 0::/path} (version 2) or {@code 4:cpu,cpuacct:/path}. */
    private Stream<Path> folders(String controller, String controllers, String path) {
        boolean unified = controllers.isEmpty();
        if (!unified && !List.of(controllers.split(",")).contains(controller)) {
            return Stream.empty();
        }
        Path mounted = root.resolve("sys/fs/cgroup");
        Path hierarchy = unified ? mounted : mounted.resolve(controller);
        return Stream.iterate(
                hierarchy.resolve(path).normalize(),
                group -> group != null && group.startsWith(hierarchy),
                Path::getParent);
    }

    /**
     * How long a group's limit kept its threads from running.
     *
     * @param text of its {@code cpu.stat}
     * @return in nanoseconds, of all CPUs together; empty if the group has no limit
     */
    public static Optional<Long> throttledNanos(String text) {
        return Numbers.counter(text, MICROS).map(micros -> micros * 1_000).or(() -> Numbers.counter(text, NANOS));
    }
}
