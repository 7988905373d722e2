package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.EngineUse;
import io.phaseload.run.RunListener;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Which engine a plan gets. */
class EnginesTest {

    private static final URI SERVER = URI.create("http://localhost/");

    @Test
    void threadsAreTheDefault() {
        Plan plan = Plan.builder(URI.create("http://127.0.0.1:1/"))
                .threads(1)
                .iterations(1)
                .build();

        assertThat(Engines.create(plan, RunListener.NONE).run().engine()).isEqualTo(EngineUse.THREADS);
        assertThat(Engines.names()).contains("threads");
    }

    @Test
    void anUnknownEngineIsRejectedWithAListOfThoseAvailable() {
        Plan plan = Plan.builder(SERVER).engine(EngineSettings.of("steam")).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(plan, RunListener.NONE))
                .withMessage("engine steam: expected " + String.join(" or ", Engines.names()));
    }

    @Test
    void threadsRejectSettingsOfEventLoops() {
        refuses(threads().loops(2), "loops 2");
        refuses(threads().transport("nio"), "transport nio");
        refuses(threads().protocol(new Protocol.Http1(2)), "pipeline 2");
        refuses(threads().protocol(new Protocol.Http2(1)), "HTTP/2");
    }

    private static EngineSettings.Builder threads() {
        return EngineSettings.builder("threads");
    }

    private static void refuses(EngineSettings.Builder asked, String what) {
        Plan plan = Plan.builder(SERVER).engine(asked.build()).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Engines.create(plan, RunListener.NONE))
                .withMessage(what + " cannot be combined with engine threads");
    }
}
