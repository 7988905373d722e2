package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineSettingsTest {

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_025})
    void loopsOutOfRangeAreRefused(int loops) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of("events").withLoops(loops))
                .withMessage("loops %s: expected 1 to 1024", loops);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 10_001})
    void streamsOutOfRangeAreRefused(int streams) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of("events").withHttp2(streams))
                .withMessage("streams %s: expected 1 to 10000", streams);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001})
    void pipelinesOutOfRangeAreRefused(int users) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of("events").withPipeline(users))
                .withMessage("pipeline %s: expected 1 to 1000", users);
    }

    @Test
    void http2IsNotPipelined() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of("events").withHttp2(1).withPipeline(2))
                .withMessage("pipeline 2: expected none with HTTP/2");
    }

    @Test
    void windowsAreOfHttp2() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of("events").withWindows(Http2Windows.DEFAULT))
                .withMessage("windows 6MiB,15MiB: expected HTTP/2 beside them");
    }

    @Test
    void aTransportThatNobodyKnowsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of("events").withTransport("kqueue"))
                .withMessage("transport 'kqueue': expected epoll or nio");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Threads", "a b"})
    void whatIsNoNameIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineSettings.of(name))
                .withMessage("engine '%s': expected a name such as threads", name);
    }
}
