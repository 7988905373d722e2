package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Measurement;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.recording.PhaseRecorder;
import io.phaseload.measure.recording.RequestSample;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.json.ResultJson;
import io.phaseload.run.EngineUse;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is written of models other than the default one. */
class OpenResultTest {

    private static final PhaseLength SECOND = new PhaseLength.Lasting(Duration.ofSeconds(1));
    private static final Phase OPEN =
            new Phase("open", 1, SECOND, new Load.Open(new ConstantArrivals(Rate.perSecond(700)), Load.Overload.DROP));

    @Test
    void aPercentileOfTooFewSamplesIsNotWritten() {
        JsonNode response = JsonMapper.shared()
                .readTree(ResultJson.write(result(562, Map.of())))
                .get("totals")
                .get("response");

        assertThat(response.get("p95Ms").isNull()).isFalse();
        assertThat(response.get("p99Ms").isNull()).isTrue();
        assertThat(response.get("unsupported").get("p99Ms").asString())
                .isEqualTo("n too small: 562 samples, 563 needed");
    }

    @Test
    void theJsonDescribesEachLoad() {
        Rate ten = Rate.perSecond(10);
        Duration minute = Duration.ofMinutes(1);
        Pause pause = new Pause(Duration.ofMillis(5), Duration.ofMillis(10));
        Plan plan = Plan.builder(URI.create("http://localhost:8080/"))
                .scenario(Scenario.getThenPost())
                .seed(42)
                .phases(
                        OPEN,
                        open("poisson", new PoissonArrivals(ten, 7)),
                        open("ramp", new RampArrivals(ten, Rate.perSecond(20), minute)),
                        open("burst", new BurstArrivals(3, minute)),
                        open("steps", new StepArrivals(List.of(new StepArrivals.Step(ten, minute)))),
                        new Phase("closed", 1, SECOND, new Load.Closed(pause, Pause.NONE, minute)))
                .build();

        JsonNode phases =
                JsonMapper.shared().readTree(PlanFile.toResultJson(plan)).get("phases");

        assertThat(phases)
                .extracting(phase -> phase.get("load").toString().replace('"', '\''))
                .containsExactly(
                        "{'model':'open','arrivals':{'kind':'constant','rate':'700/s'},'overload':'drop'}",
                        "{'model':'open','arrivals':{'kind':'poisson','rate':'10/s','seed':7},'overload':'queue'}",
                        "{'model':'open','arrivals':{'kind':'ramp','rate':'10/s','toRate':'20/s','lengthMs':60000.0},'overload':'queue'}",
                        "{'model':'open','arrivals':{'kind':'burst','lengthMs':60000.0,'size':3},'overload':'queue'}",
                        "{'model':'open','arrivals':{'kind':'steps','steps':[{'kind':'constant','rate':'10/s','lengthMs':60000.0}]},'overload':'queue'}",
                        "{'model':'closed','thinkMs':[5.0,10.0],'rampMs':60000.0}");
    }

    private static Phase open(String name, Schedule schedule) {
        return new Phase(name, 1, SECOND, new Load.Open(schedule, Load.Overload.QUEUE));
    }

    /** Each request is sent 2 ms late and takes 3 ms. */
    private static Result result(int sent, Map<String, Long> notSent) {
        Plan plan = Plan.builder(URI.create("http://localhost:8080/"))
                .operations(Operation.get("/"))
                .phases(OPEN)
                .build();
        PhaseRecorder recorder = new PhaseRecorder(1);
        for (int i = 0; i < sent; i++) {
            Exchange exchange = Exchanges.of(2_000_000, 5_000_000, Outcome.SUCCESS, 100, 0, false);
            recorder.record(i, new Sample(0, 0, exchange));
        }
        Duration wall = Duration.ofSeconds(1);
        long missing = notSent.values().stream().mapToLong(Long::longValue).sum();
        PhaseMeasurement phase = new PhaseMeasurement(
                OPEN,
                10,
                Optional.of(Instant.EPOCH),
                wall,
                sent + missing,
                notSent,
                recorder.sums().totals(),
                List.of(),
                ClientHealth.NONE,
                RequestSample.NONE,
                List.of());
        return ResultBuilder.of(
                plan,
                FixedResults.passed().environment(),
                new Measurement(
                        EngineUse.THREADS, Instant.EPOCH, wall, List.of(phase), false, Optional.empty(), List.of()));
    }
}
