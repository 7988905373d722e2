package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.EngineSettings;
import io.phaseload.plan.Plan;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Which engine a plan gets. */
class EnginesTest {

    private static final URI SERVER = URI.create("http://localhost/");

    @Test
    void aPlanThatNamesNoneGetsThreads() {
        Plan plan = Plan.builder(SERVER).build();

        assertThat(Engines.create(plan, RunListener.NONE)).isInstanceOf(ThreadEngine.class);
        assertThat(Engines.names()).contains("threads");
    }

    @Test
    void anEngineThatIsNotThereIsRefusedAndThoseThatAreAreNamed() {
        Plan plan = Plan.builder(SERVER).engine(EngineSettings.of("steam")).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(plan, RunListener.NONE))
                .withMessage("engine steam: expected " + String.join(" or ", Engines.names()));
    }

    @Test
    void threadsRefuseWhatOnlyEventLoopsHave() {
        Plan loops = Plan.builder(SERVER).engine(EngineSettings.THREADS.withLoops(2)).build();
        Plan transport =
                Plan.builder(SERVER).engine(EngineSettings.THREADS.withTransport("nio")).build();

        Plan pipeline = Plan.builder(SERVER).engine(EngineSettings.THREADS.withPipeline(2)).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(pipeline, RunListener.NONE))
                .withMessage("pipeline 2: expected none with engine threads");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(loops, RunListener.NONE))
                .withMessage("loops 2: expected none with engine threads");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(transport, RunListener.NONE))
                .withMessage("transport nio: expected none with engine threads");
        Plan http2 = Plan.builder(SERVER).engine(EngineSettings.THREADS.withHttp2(2)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(http2, RunListener.NONE))
                .withMessage("HTTP/2: expected none with engine threads");
    }
}
