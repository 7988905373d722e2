package io.phaseload.prove;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** An access log, from a place in it on. Not thread-safe. */
public final class AccessLog {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final Path file;
    private final Object key;
    private long at;
    private long unreadable;
    private String firstUnreadable = "";

    private AccessLog(Path file, long at) throws IOException {
        this.file = file;
        this.key = key(file);
        this.at = at;
    }

    /**
     * A log that a server is writing, from its present end on.
     *
     * @param file the log
     * @return a log without lines so far
     * @throws IOException if it can't be read
     */
    public static AccessLog fromNow(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new AccessLog(file, Files.size(file));
        }
    }

    /**
     * A log of the past, from its beginning on.
     *
     * @param file the log, or a copy of it
     * @return the whole log
     * @throws IOException if it can't be read
     */
    public static AccessLog whole(Path file) throws IOException {
        return new AccessLog(file, 0);
    }

    private static Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /**
     * The lines of a run.
     *
     * @param started its start
     * @param ended its end
     * @return true for lines within it, by a second; and for lines without a time
     */
    public static Predicate<AccessLine> during(Instant started, Instant ended) {
        // Times of the common format are whole seconds.
        Instant from = started.minusSeconds(1);
        Instant to = ended.plusSeconds(1);
        return line -> line.at().isEmpty()
                || !line.at().get().isBefore(from) && !line.at().get().isAfter(to);
    }

    /**
     * Reads whole lines that weren't read yet.
     *
     * @param reader receives those that are requests
     * @throws IOException if the log can't be read, or was replaced by another one
     */
    public void read(Consumer<AccessLine> reader) throws IOException {
        if (!Objects.equals(key(file), key) || Files.size(file) < at) {
            throw new IOException("it was rotated or emptied during the run");
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            in.skipNBytes(at);
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    at += line.size() + 1L;
                    take(line.toString(StandardCharsets.UTF_8).strip(), reader);
                    line.reset();
                } else {
                    line.write(next);
                }
            }
        }
    }

    private void take(String line, Consumer<AccessLine> reader) {
        if (line.isEmpty()) {
            return;
        }
        AccessLine.parse(line).ifPresentOrElse(reader, () -> {
            firstUnreadable = unreadable == 0 ? line : firstUnreadable;
            unreadable++;
        });
    }

    /**
     * Reads lines until there are enough: servers write theirs some seconds later.
     *
     * @param reader receives those that are requests
     * @param lacking the number of lines that are missing; 0 or less if none is
     * @param longest the longest time to wait
     * @throws IOException if the log can't be read
     */
    public void await(Consumer<AccessLine> reader, LongSupplier lacking, Duration longest)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        read(reader);
        while (lacking.getAsLong() > 0 && System.nanoTime() < end) {
            Thread.sleep(BETWEEN_LOOKS.toMillis());
            read(reader);
        }
    }

    /**
     * Lines that aren't requests in a format that is known.
     *
     * @return the number of those that were read
     */
    public long unreadable() {
        return unreadable;
    }

    /**
     * The first of these lines.
     *
     * @return empty if there are none
     */
    public String firstUnreadable() {
        return firstUnreadable;
    }
}
