package io.phaseload.sweep.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DerivedTest {

    private static final TrialRow ROW = Rows.ok(1, 1, "events", "1200", "elapsed_s", "4", "none", "", "zero", "0");

    @ParameterizedTest
    @CsvSource({
        "events/elapsed_s, 300",
        "2 + 3*4, 14",
        "(2+3) * 4, 20",
        "10-4-3, 3",
        "64/4/2, 8",
        "-events + 1.5e3, 300",
        "2*-3, -6",
        "( ( events ) ), 1200",
        "1e-3 * events, 1.2"
    })
    void followsTheRulesOfArithmetic(String expression, double value) {
        assertThat(Derived.parse("x=" + expression).of(ROW)).hasValue(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none+1", "events/zero", "zero/zero", "absent"})
    void anUndefinedValueIsMissing(String expression) {
        assertThat(Derived.parse("x=" + expression).of(ROW)).isEmpty();
    }

    @Test
    void namesItsColumns() {
        Derived derived = Derived.parse("events_per_second=events/(elapsed_s+1)*events");

        assertThat(derived.name()).isEqualTo("events_per_second");
        assertThat(derived.columns()).containsExactlyInAnyOrder("events", "elapsed_s");
    }

    @ParameterizedTest
    @CsvSource({
        "x, 'expected name=expression, such as events_per_second=events/elapsed_s'",
        "x=, 'expected name=expression, such as events_per_second=events/elapsed_s'",
        "x y=1, 'expected name=expression, such as events_per_second=events/elapsed_s'",
        "x=a+, 'expected a column, a number or ( at character 3 of a+'",
        "x=a b, 'expected +, -, *, / or the end at character 3 of a b'",
        "x=(a, 'expected ) at character 3 of (a'",
        "x=a^2, 'expected +, -, *, / or the end at character 2 of a^2'"
    })
    void errorsPointAtTheirPlace(String definition, String message) {
        assertThatThrownBy(() -> Derived.parse(definition))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void limitsNesting() {
        assertThatThrownBy(() -> Derived.parse("x=" + "(".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected fewer parentheses and signs at character ");
    }
}
