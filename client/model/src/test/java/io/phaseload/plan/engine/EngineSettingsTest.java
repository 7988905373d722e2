package io.phaseload.plan.engine;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineSettingsTest {

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_025})
    void loopsOutOfRangeAreRejected(int loops) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.builder("events").loops(loops).build())
                .withMessage("loops %s: expected 1 to 1024", loops);
    }

    @Test
    void anUnknownTransportIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        EngineSettings.builder("events").transport("kqueue").build())
                .withMessage("transport 'kqueue': expected epoll or nio");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Threads", "a b"})
    void anInvalidNameIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of(name))
                .withMessage("engine '%s': expected a name such as threads", name);
    }
}
