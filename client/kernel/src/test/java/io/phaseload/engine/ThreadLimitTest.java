package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.threads.ThreadEngine;
import io.phaseload.measure.Tallies;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A system that gives no more threads. It is a JVM of its own, with 1 GiB of address space for each thread's stack and
 * 20 GiB in all: a limit that holds for root, too.
 */
class ThreadLimitTest {

    @Test
    @Timeout(60)
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "needs ulimit -v")
    void tooFewThreadsEndTheRunWithAFault(@TempDir Path folder) throws Exception {
        try (CountingServer server = CountingServer.start()) {
            String output = runLimited(server.uri(), "2 40 2", folder.resolve("output"));

            assertThat(output)
                    .containsPattern("fault: \\d+ of 40 threads could be started: .*\n"
                            + "interrupted: false\n"
                            + "p0-2: sent 4 of 4 \\{}\n"
                            + "p1-40: sent 0 of 80 \\{client fault=80}\n"
                            + "p2-2: sent 0 of 4 \\{client fault=4}\n"
                            + "failed: 0\n"
                            + "left: \\[]\n$");
            assertThat(server.requests()).isEqualTo(4);
        }
    }

    /** The first phase that is too big has users for all of its threads, and one thread too few. */
    @Test
    @Timeout(60)
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "needs ulimit -v")
    void tooFewThreadsForTheEngineItselfAreAFaultToo(@TempDir Path folder) throws Exception {
        try (CountingServer server = CountingServer.start()) {
            String users =
                    IntStream.rangeClosed(1, 30).mapToObj(Integer::toString).collect(Collectors.joining(" "));

            String output = runLimited(server.uri(), users, folder.resolve("output"));

            assertThat(output)
                    .containsPattern("fault: no thread to .*\ninterrupted: false\n")
                    .contains("\np29-30: sent 0 of 60 {client fault=60}\nfailed: ")
                    .endsWith("\nleft: []\n");
            long sent = 0;
            Matcher phase =
                    Pattern.compile("sent (\\d+) of (\\d+) \\{(.*=)?(\\d*)}").matcher(output);
            while (phase.find()) {
                long notSent = phase.group(4).isEmpty() ? 0 : Long.parseLong(phase.group(4));
                sent += Long.parseLong(phase.group(1));
                assertThat(Long.parseLong(phase.group(1)) + notSent).isEqualTo(Long.parseLong(phase.group(2)));
            }
            // Users may be sending already when the thread that records can't be started.
            Matcher failed = Pattern.compile("\nfailed: (\\d+)\n").matcher(output);
            assertThat(failed.find()).isTrue();
            assertThat(server.requests()).isBetween(sent - Long.parseLong(failed.group(1)), sent);
        }
    }

    private static String runLimited(URI target, String users, Path output) throws Exception {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("sh", "-c", "ulimit -v 20971520 && exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xss1g", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=32m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Limited.class.getName(), target.toString(), users));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    /** Runs in the limited JVM: phases of as many users, of forty. */
    static final class Limited {

        private Limited() {}

        public static void main(String[] args) throws Exception {
            String[] users = args[1].split(" ");
            Phase[] phases = new Phase[users.length];
            for (int i = 0; i < users.length; i++) {
                phases[i] = new Phase(
                        "p" + i + "-" + users[i], Integer.parseInt(users[i]) / 40.0, new PhaseLength.Iterations(1));
            }
            Plan plan = Plan.builder(URI.create(args[0]))
                    .scenario(Scenario.getThenPost())
                    .threads(40)
                    .phases(phases)
                    .build();

            Measurement measured =
                    new ThreadEngine().create(plan, RunListener.NONE).run();

            System.out.println("fault: " + measured.fault().orElseThrow().getMessage());
            System.out.println("interrupted: " + measured.interrupted());
            for (PhaseMeasurement phase : measured.phases()) {
                System.out.printf(
                        "%s: sent %d of %d %s%n",
                        phase.phase().name(),
                        Tallies.sum(phase.operations()).requests(),
                        phase.asked(),
                        phase.notSent());
            }
            System.out.println("failed: "
                    + measured.phases().stream()
                            .mapToLong(phase -> Tallies.sum(phase.operations()).failed())
                            .sum());
            System.out.println("left: " + ClientThreads.awaitNone());
        }
    }
}
