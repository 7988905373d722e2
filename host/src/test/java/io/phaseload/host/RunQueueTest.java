package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.phaseload.host.linux.RunQueueWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunQueueTest {

    @TempDir
    private Path tasks;

    private void write(String file, String text) throws IOException {
        Path path = tasks.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void thread(int id, String name, long waited, int turns) throws IOException {
        write(id + "/comm", name + "\n");
        write(id + "/schedstat", "5000 " + waited + " " + turns + "\n");
    }

    private RunQueue runQueue() {
        return new RunQueue(tasks, name -> name.startsWith("mine-"));
    }

    @Test
    void aSystemWithoutThreadsFilesTellsNothing() {
        assertThat(new RunQueue(tasks.resolve("none"), name -> true).read().byThread())
                .isEmpty();
    }

    @Test
    void waitsAreThoseOfWantedThreads() throws IOException {
        thread(11, "mine-1", 1_000, 17);
        thread(12, "mine-2", 2_000, 17);
        thread(13, "C2 CompilerThre", 9_000, 17);
        RunQueue runQueue = runQueue();
        ThreadWaits before = runQueue.read();
        thread(11, "mine-1", 1_500, 30);
        thread(13, "C2 CompilerThre", 99_000, 50);
        thread(14, "mine-3", 70, 7);

        assertThat(runQueue.read().since(before)).isEqualTo(new RunQueueWait(Duration.ofNanos(570), 20));
    }

    /** They ended while they were read, or the system says less of them. */
    @Test
    void threadsThatTellNothingAreLeftOut() throws IOException {
        write("11/comm", "mine-1\n");
        write("12/schedstat", "5000 1000 17\n");
        thread(13, "mine-3", 1_000, 17);
        write("14/comm", "mine-4\n");
        write("14/schedstat", "5000 1000\n");

        assertThat(runQueue().read().byThread())
                .containsExactly(entry("13", new RunQueueWait(Duration.ofNanos(1_000), 17)));
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "101, 50"})
    void upTo100ThreadsAreRead(int threads, int read) throws IOException {
        for (int id = 1; id <= threads; id++) {
            thread(id, "mine-", 0, 3);
        }

        assertThat(runQueue().read().byThread()).hasSize(read);
    }

    /** Every fourth is read, and counts for four. */
    @Test
    void ofManyThreadsSomeAreReadAndCountForTheOthers() throws IOException {
        for (int id = 1; id <= 400; id++) {
            thread(id, "mine-", 0, 3);
        }
        RunQueue runQueue = runQueue();
        ThreadWaits before = runQueue.read();
        assertThat(before.byThread()).hasSize(100);
        for (int id = 1; id <= 400; id++) {
            thread(id, "mine-", 10, 4);
        }

        assertThat(runQueue.read().since(before)).isEqualTo(new RunQueueWait(Duration.ofNanos(4_000), 400));
    }

    @Test
    void ifMoreCameThoseThatAreReadWereReadBefore() throws IOException {
        for (int id = 1; id <= 100; id++) {
            thread(id, "mine-", 1_000, 3);
        }
        RunQueue runQueue = runQueue();
        ThreadWaits before = runQueue.read();
        for (int id = 101; id <= 300; id++) {
            thread(id, "mine-", 0, 0);
        }

        assertThat(runQueue.read().since(before)).isEqualTo(new RunQueueWait(Duration.ZERO, 0));
    }
}
