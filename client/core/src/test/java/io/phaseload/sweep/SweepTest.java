package io.phaseload.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.engine.CountingServer;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Result;
import io.phaseload.run.RunListener;
import io.phaseload.sweep.trials.Step;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps from the library's front door. */
@Timeout(60)
class SweepTest {

    @RegisterExtension
    final CountingServer server = CountingServer.start();

    @TempDir
    private Path parent;

    private Plan plan() {
        return Plan.builder(server.uri())
                .phases(
                        new Phase("warmup", 1, new PhaseLength.Iterations(1)),
                        new Phase("peak", 1, new PhaseLength.Iterations(5)))
                .build();
    }

    private static List<String> ran(SweepResult result) {
        return result.rows().stream().map(row -> row.step() + "/" + row.trial()).toList();
    }

    @Test
    void eachStepRunsTheGivenNumberOfTrials() throws Exception {
        SweepResult result = Sweep.of(plan()).threads(1, 3).trials(2).run();

        assertThat(result.finished()).isTrue();
        assertThat(ran(result)).containsExactly("1/1", "2/1", "2/2", "1/2");
        assertThat(result.rows()).extracting(row -> row.text("total_ops")).containsExactly("5", "15", "15", "5");
        assertThat(server.requests()).isEqualTo(2 * (6 + 18));
        assertThat(result.summary().steps().get(1).operations().get(0).totalOps())
                .isEqualTo(30);
    }

    @Test
    void phasesCountThatAreNamed() throws Exception {
        SweepResult result = Sweep.of(plan())
                .threads(1, 3)
                .counting(List.of("warmup", "peak"))
                .run();
        assertThat(result.rows()).extracting(row -> row.text("total_ops")).containsExactly("6", "18");

        Sweep unknown = Sweep.of(plan()).counting(List.of("peak", "end"));
        assertThatIllegalArgumentException()
                .isThrownBy(unknown::run)
                .withMessage("phases peak,end: expected some of warmup,peak");
    }

    @Test
    void anythingCanBeVaried() throws Exception {
        List<Plan> plans = new ArrayList<>();
        SweepListener listener = new SweepListener() {
            @Override
            public RunListener trialStarted(Trial trial, Plan plan) {
                plans.add(plan);
                return RunListener.NONE;
            }
        };
        SweepResult result = Sweep.of(plan())
                .threads(1, 2)
                .vary(
                        "verb",
                        List.of("GET", "PUT"),
                        (plan, verb) -> plan.withOperations(
                                List.of(Operation.of(verb, "/x").named("it"))))
                .listener(listener)
                .run();

        assertThat(result.steps())
                .extracting(Step::toString)
                .containsExactly(
                        "threads=1, verb=GET", "threads=2, verb=GET", "threads=1, verb=PUT", "threads=2, verb=PUT");
        assertThat(plans)
                .extracting(plan -> plan.scenario().operations().get(0).method() + plan.threads())
                .containsExactly("GET1", "GET2", "PUT1", "PUT2");
    }

    @Test
    void theFolderYieldsTheSameResult() throws Exception {
        Path folder = parent.resolve("sweep");
        SweepResult result =
                Sweep.of(plan()).threads(1, 2).name("nightly").folder(folder).run();

        assertThat(SweepResult.read(folder)).isEqualTo(result);
        assertThat(folder.resolve("step-02/trial-1/result.json")).isRegularFile();
        assertThatOnlyItsUserCanRead(folder.resolve("step-02"));
        assertThatThrownBy(() -> Sweep.of(plan()).folder(folder).run()).isInstanceOf(IOException.class);
    }

    /** Stopped by a listener in the second of three trials, which doesn't count then. */
    @Test
    void anInterruptedSweepIsResumed() throws Exception {
        Path folder = parent.resolve("sweep");
        SweepRun[] run = new SweepRun[1];
        TrialHooks stop = new TrialHooks() {
            @Override
            public Result measured(Trial trial, Result result) {
                if (trial.step().number() == 2) {
                    run[0].close();
                }
                return result;
            }
        };
        List<String> heard = new ArrayList<>();
        SweepListener listener = new SweepListener() {
            @Override
            public void trialMeasured(Trial trial, Result result) {
                assertThat(folder.resolve(trial.folder() + "/result.json")).exists();
                heard.add("measured " + trial.folder());
            }

            @Override
            public void trialFinished(Trial trial, List<TrialRow> rows) {
                heard.add("finished " + trial.folder());
            }
        };
        run[0] = Sweep.of(plan())
                .threads(1, 2, 3)
                .folder(folder)
                .hooks(stop)
                .listener(listener)
                .open();
        SweepResult stopped = run[0].run();

        assertThat(stopped.finished()).isFalse();
        assertThat(ran(stopped)).containsExactly("1/1");
        assertThat(heard)
                .containsExactly("measured step-01/trial-1", "finished step-01/trial-1", "measured step-02/trial-1");
        assertThat(SweepResult.read(folder).finished()).isFalse();

        withoutColumn(folder.resolve("trials.csv"), "verdict_reasons");
        long before = server.requests();
        SweepResult resumed = Sweep.of(plan()).threads(1, 2, 3).resume(folder).run();
        assertThat(ran(resumed)).containsExactly("1/1", "2/1", "3/1");
        assertThat(resumed.info().startedAt()).isEqualTo(stopped.info().startedAt());
        assertThat(server.requests() - before).isEqualTo(12 + 18);
        assertThat(folder.resolve("unfinished/step-02-trial-1-1/result.json")).isRegularFile();
        assertThatOnlyItsUserCanRead(folder.resolve("unfinished"));
    }

    /** An older version didn't write the column. */
    private static void withoutColumn(Path csv, String column) throws IOException {
        List<String> lines = Files.readAllLines(csv);
        int at = List.of(lines.get(0).split(",")).indexOf(column);
        Files.write(
                csv,
                lines.stream()
                        .map(line -> {
                            List<String> cells = new ArrayList<>(List.of(line.split(",", -1)));
                            cells.remove(at);
                            return String.join(",", cells);
                        })
                        .toList());
    }

    private static void assertThatOnlyItsUserCanRead(Path folder) throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void anInterruptedThreadEndsTheSweep() throws Exception {
        SweepListener interrupt = new SweepListener() {
            @Override
            public RunListener trialStarted(Trial trial, Plan plan) {
                Thread.currentThread().interrupt();
                return RunListener.NONE;
            }
        };
        SweepResult result = Sweep.of(plan()).threads(1, 2).listener(interrupt).run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.finished()).isFalse();
        assertThat(result.rows()).isEmpty();
    }

    @Test
    void theStopRuleSkipsStepsOfHigherLoad() throws Exception {
        SweepResult result = Sweep.of(plan())
                .threads(1, 2, 4)
                .stopWhen(Threshold.parse("requests > 9"))
                .run();
        assertThat(ran(result)).containsExactly("1/1", "2/1");
        assertThat(result.skipped()).containsExactly(new SweepResult.Skipped(3, "requests > 9 at threads=2"));
    }

    @Test
    void aFailingHookFailsTheTrial() throws Exception {
        List<String> heard = new ArrayList<>();
        TrialHooks hooks = new TrialHooks() {
            @Override
            public Optional<String> before(Trial trial, Plan plan) {
                heard.add("before " + trial.folder());
                return trial.step().number() == 1 ? Optional.of("no data") : Optional.empty();
            }

            @Override
            public Optional<String> after(Trial trial, Plan plan) {
                heard.add("after " + trial.folder());
                return trial.step().number() == 2 ? Optional.of("left") : Optional.empty();
            }
        };
        SweepListener listener = new SweepListener() {
            @Override
            public void trialMeasured(Trial trial, Result result) {
                heard.add("measured " + trial.folder());
            }

            @Override
            public void trialFinished(Trial trial, List<TrialRow> rows) {
                heard.add("finished " + trial.folder());
            }
        };
        SweepResult result = Sweep.of(plan())
                .threads(1, 2, 3)
                .hooks(hooks)
                .listener(listener)
                .run();

        assertThat(result.rows())
                .extracting(row -> row.text("status") + " " + row.text("reason"))
                .containsExactly("failed no data", "failed left", "ok ");
        assertThat(server.requests()).isEqualTo(12 + 18);
        assertThat(heard)
                .containsExactly(
                        "before step-01/trial-1",
                        "after step-01/trial-1",
                        "finished step-01/trial-1",
                        "before step-02/trial-1",
                        "after step-02/trial-1",
                        "measured step-02/trial-1",
                        "finished step-02/trial-1",
                        "before step-03/trial-1",
                        "after step-03/trial-1",
                        "measured step-03/trial-1",
                        "finished step-03/trial-1");
    }

    @Test
    void requestsAroundATrialAreNotMeasured() throws Exception {
        RequestHooks hooks = new RequestHooks(
                List.of(new HookRequest(
                        "before GET /fill",
                        values -> Operation.of("GET", "/fill?n=" + values.get("threads")),
                        Map.of())),
                List.of(new HookRequest(
                        "after DELETE /data", values -> Operation.of("DELETE", "/data"), Map.of("token", "/token"))));
        SweepResult result = Sweep.of(plan()).threads(1, 2).hooks(hooks).run();

        assertThat(server.requests()).isEqualTo(6 + 12 + 2 * 2);
        assertThat(result.rows())
                .extracting(row -> row.text("total_ops"), row -> row.text("reason"))
                .map(Object::toString)
                .allMatch(row -> row.contains("after DELETE /data: "));
    }

    /** Nothing is sent, and nothing is left. */
    @Test
    void anInvalidStepIsRejectedBeforeTheSweep() throws Exception {
        Path folder = parent.resolve("sweep");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sweep.of(plan()).threads(1, 0).folder(folder).run());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sweep.of(plan())
                        .threads(1, 2)
                        .order(Order.RANDOM)
                        .stopWhen(Threshold.parse("failures > 1%"))
                        .folder(folder)
                        .run())
                .withMessage("order random cannot be combined with a stop rule");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sweep.of(plan()).trials(0))
                .withMessage("trials 0: expected 1 to 10000");
        assertThat(server.requests()).isZero();
        try (Stream<Path> files = Files.list(parent)) {
            assertThat(files).isEmpty();
        }
    }
}
