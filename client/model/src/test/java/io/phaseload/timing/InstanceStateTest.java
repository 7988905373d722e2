package io.phaseload.timing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceStateTest {

    @ParameterizedTest
    @CsvSource({
        "cold, COLD",
        "RESTORED, RESTORED",
        "' warm ;id=7f3a', WARM",
        "hot,",
        "'',",
        "';cold',",
    })
    void isTheFirstWordOfTheHeader(String value, InstanceState state) {
        assertThat(InstanceState.parse(value)).isEqualTo(state);
    }
}
