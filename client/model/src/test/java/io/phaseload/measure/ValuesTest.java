package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValuesTest {

    @Test
    void haveAMeanAndARange() {
        Values values = Values.of(6).plus(Values.of(-1)).plus(Values.of(1).plus(Values.of(4)));

        assertThat(values).isEqualTo(new Values(4, 10, -1, 6));
        assertThat(values.mean()).isEqualTo(2.5);
    }
}
