package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

    @Test
    void theHeaderHasAllDigitsOfTheIdsAndAsksForARecord() {
        TraceContext trace = TraceContext.of(0xab, -1, 0x1234_5678_9abc_def0L);

        assertThat(trace.header()).isEqualTo("00-00000000000000abffffffffffffffff-123456789abcdef0-01");
        assertThat(TraceContext.parse(trace.header())).contains(trace);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "01-00000000000000abffffffffffffffff-123456789abcdef0-01",
                "00-00000000000000000000000000000000-123456789abcdef0-01",
                "00-00000000000000abffffffffffffffff-0000000000000000-01",
                "00-00000000000000ABffffffffffffffff-123456789abcdef0-01",
                "00-00000000000000abffffffffffffffff-123456789abcdef0",
            })
    void otherVersionsAndMalformedHeadersHaveNoPlace(String header) {
        assertThat(TraceContext.parse(header)).isEmpty();
    }
}
