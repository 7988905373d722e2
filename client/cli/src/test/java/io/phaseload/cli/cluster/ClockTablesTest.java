package io.phaseload.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.clock.ClockReading;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockTablesTest {

    /** A name of an agent may begin with a minus sign, which spreadsheets take for a formula. */
    @Test
    void cellsAreEscapedAsInOtherTables() {
        ClockOffset offset = ClockOffset.of(List.of(new ClockExchange(0, -5_000_000, -5_000_000, 10)));
        ClockTables tables = new ClockTables();
        tables.add(List.of(new ClockReading("-x", "coordinator", 1, offset, 0, 0, Optional.empty())));

        assertThat(tables.csv().lines().skip(1))
                .singleElement()
                .asString()
                .startsWith("'-x,coordinator,1.000000,-5.000005,")
                .endsWith(",,");
    }
}
