package io.phaseload.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.command.GeneralOptions.Color;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisplayTest {

    @ParameterizedTest
    @CsvSource({
        "AUTO, true, '', true, true",
        "AUTO, false, '', false, true",
        "AUTO, true, NO_COLOR=1, false, false",
        "AUTO, true, NO_COLOR=, true, true",
        "AUTO, true, TERM=dumb, false, false",
        "AUTO, false, FORCE_COLOR=1, true, true",
        "AUTO, false, FORCE_COLOR=0, false, true",
        "AUTO, false, FORCE_COLOR=1 NO_COLOR=1, false, false",
        "ALWAYS, false, NO_COLOR=1, true, true",
        "ALWAYS, false, TERM=dumb, true, false",
        "NEVER, true, FORCE_COLOR=1, false, false",
    })
    void theOptionComesBeforeTheEnvironment(
            Color color, boolean terminal, String environment, boolean coloured, boolean moving) {
        Map<String, String> variables = Stream.of(environment.split(" "))
                .filter(variable -> !variable.isEmpty())
                .map(variable -> variable.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        assertThat(Display.of(color, variables::get, terminal)).isEqualTo(new Display(coloured, moving));
    }
}
