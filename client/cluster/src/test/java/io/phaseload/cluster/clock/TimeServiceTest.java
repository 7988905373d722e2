package io.phaseload.cluster.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeServiceTest {

    private static final String TRACKING =
            "A9FEA97B,169.254.169.123,4,1700000000.123456789,-0.000012345,0.000001234,0.000023456,"
                    + "-5.123,0.001,0.050,0.000400000,0.000100000,16.1,Normal\n";

    @Test
    void theBoundIsHalfTheDelayAndTheDispersion() {
        assertThat(TimeService.parse(TRACKING)).contains(new TimeService(-12_345, 300_000));
    }

    @Test
    void whatIsKeptToNoTimeHasNone() {
        assertThat(TimeService.parse(TRACKING.replace("Normal", "Not synchronised")))
                .isEmpty();
        assertThat(TimeService.parse("506 Cannot talk to daemon\n")).isEmpty();
        assertThat(TimeService.parse("")).isEmpty();
        assertThat(TimeService.parse("a,b,c,d,e,f,g,h,i,j,k,l,m,Normal")).isEmpty();
    }

    @Test
    void twoMachinesAreApartByWhatBothMayBeWrongBy() {
        assertThat(new TimeService(5, 2).minus(new TimeService(-3, 4))).isEqualTo(new TimeService(8, 6));
    }
}
