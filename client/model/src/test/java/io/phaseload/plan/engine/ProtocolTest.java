package io.phaseload.plan.engine;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolTest {

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 10_001})
    void streamsOutOfRangeAreRejected(int streams) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Protocol.Http2(streams))
                .withMessage("streams %s: expected 1 to 10000", streams);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001})
    void pipelinesOutOfRangeAreRejected(int users) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Protocol.Http1(users))
                .withMessage("pipeline %s: expected 1 to 1000", users);
    }
}
