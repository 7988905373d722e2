package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmUseTest {

    /** By the names of the JDK's collectors: cycles run beside the program, pauses don't. */
    @ParameterizedTest
    @CsvSource({
        "G1 Young Generation, true",
        "G1 Old Generation, true",
        "G1 Concurrent GC, false",
        "PS MarkSweep, true",
        "Copy, true",
        "ZGC Pauses, true",
        "ZGC Cycles, false",
        "ZGC Major Cycles, false",
        "Shenandoah Pauses, true",
        "Shenandoah Cycles, false",
    })
    void onlyPausesCountAsStopTheWorld(String collector, boolean stops) {
        assertThat(JvmUse.stopsTheWorld(collector)).isEqualTo(stops);
    }
}
