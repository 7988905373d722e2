package io.phaseload.result.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Environment;
import io.phaseload.result.Result;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.run.EngineUse;
import io.phaseload.schedule.Rate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ran the users, in files. */
class EngineResultTest {

    private static final Protocol STREAMS = new Protocol.Http2(10);
    private static final Protocol PIPELINE = new Protocol.Http1(8);
    private static final EngineUse TWO_LOOPS = EngineUse.ofLoops("events", "epoll", 2, Optional.of("jdk"), STREAMS);
    private static final EngineUse PIPELINED = EngineUse.ofLoops("events", "nio", 1, Optional.empty(), PIPELINE);

    @TempDir
    Path folder;

    @Test
    void aPipelineRoundTrips() throws Exception {
        Result result = result(PIPELINED, PIPELINE);
        ResultFolder written = ResultFolder.at(folder);
        written.begin(result.plan()).close();
        written.write(result);

        assertThat(StoredRun.read(folder).result().engine()).isEqualTo(PIPELINED);
        assertThat(StoredRun.read(folder).plan().engine())
                .isEqualTo(result.plan().engine());
    }

    @Test
    void planAndUseRoundTrip() throws Exception {
        Result result = result(TWO_LOOPS, STREAMS);
        ResultFolder written = ResultFolder.at(folder);
        written.begin(result.plan()).close();

        StoredRun unfinished = StoredRun.read(folder);
        assertThat(unfinished.plan().engine()).isEqualTo(result.plan().engine());
        assertThat(unfinished.result().engine()).isEqualTo(EngineUse.of("events"));

        written.write(result);
        assertThat(StoredRun.read(folder).result().engine()).isEqualTo(TWO_LOOPS);
    }

    private static Result result(EngineUse use, Protocol protocol) {
        EngineSettings events = EngineSettings.builder("events")
                .loops(2)
                .transport("epoll")
                .connectRate(Rate.parse("1.5k/s"))
                .protocol(protocol)
                .build();
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .scenario(Scenario.getThenPost())
                .engine(events)
                .build();
        return ResultBuilder.of(
                plan,
                Environment.capture(),
                new Measurement(
                        use, Instant.EPOCH, Duration.ofSeconds(1), List.of(), true, Optional.empty(), List.of()));
    }
}
