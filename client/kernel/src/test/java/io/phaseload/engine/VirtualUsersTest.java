package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.engine.threads.ThreadEngine;
import io.phaseload.engine.threads.UserThreads;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Users on virtual threads, where the JDK has them. */
@Timeout(60)
class VirtualUsersTest {

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void aJdkWithoutVirtualThreadsIsReported() {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .scenario(Scenario.getThenPost())
                .virtualThreads(true)
                .build();

        assertThat(UserThreads.virtualSupported()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ThreadEngine().create(plan, RunListener.NONE))
                .withMessage(
                        "virtual threads: expected JDK 21 or later, this is JDK %s",
                        Runtime.version().feature());
    }

    /** While the server holds the first answer, the JVM's own dump tells what threads there are. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void everyUserRunsOnAVirtualThread(@TempDir Path folder) throws Exception {
        List<String> platform = new CopyOnWriteArrayList<>();
        Path dump = folder.resolve("threads.txt");
        Measurement measured;
        try (CountingServer server = CountingServer.start()) {
            Object lock = new Object();
            server.beforeAnswer(number -> {
                synchronized (lock) {
                    if (Files.notExists(dump)) {
                        platform.addAll(ClientThreads.users());
                        dumpThreads(dump);
                    }
                }
            });
            Plan plan = Plan.builder(server.uri())
                    .scenario(Scenario.getThenPost())
                    .threads(50)
                    .phases(new Phase("peak", 1, new PhaseLength.Iterations(20)))
                    .virtualThreads(true)
                    .build();

            measured = new ThreadEngine().create(plan, RunListener.NONE).run();

            assertThat(server.requests()).isEqualTo(50 * 20 * 2);
        }
        Tally all = Tallies.sum(measured.phases().get(0).operations());
        assertThat(all.succeeded()).isEqualTo(2_000);
        assertThat(all.count(Timing.WATCHED)).as("the client's own share").isZero();
        assertThat(platform).isEmpty();
        assertThat(Pattern.compile("\"phaseload-peak-\\d+\" virtual")
                        .matcher(Files.readString(dump))
                        .results()
                        .map(MatchResult::group)
                        .distinct())
                .hasSize(50);
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    /** By name, since the operation isn't there in JDK 17. */
    private static void dumpThreads(Path file) {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=HotSpotDiagnostic"),
                            "dumpThreads",
                            new Object[] {file.toString(), "TEXT_PLAIN"},
                            new String[] {String.class.getName(), String.class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }
}
