package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhaseTest {

    private static final PhaseLength ONCE = new PhaseLength.Iterations(1);

    @ParameterizedTest
    @CsvSource({
        // In binary floating point 0.29 * 100 and 0.57 * 100 are a little less than whole.
        "0.29, 100, 29",
        "0.57, 100, 57",
        "0.10, 20, 2",
        "0.50, 20, 10",
        "1.00, 20, 20",
        "0.25, 20, 5",
        // Rounded down, and at least one.
        "0.25, 7, 1",
        "0.5, 3, 1",
        "0.999, 1000, 999",
        "0.9999, 1000, 999",
        "0.10, 1, 1",
        "1e-9, 1, 1",
        "4.9e-324, 1000000, 1",
        "1, 1000000, 1000000",
    })
    void usersAreTheShareRoundedDownButAtLeastOne(double share, int threads, int users) {
        assertThat(new Phase("peak", share, ONCE).users(threads)).isEqualTo(users);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, -0.1, 1.0000001, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aShareOutOfRangeIsRejected(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Phase("peak", share, ONCE))
                .withMessage("phase peak: share %s: expected more than 0 and at most 1", Double.toString(share));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Peak", "p k", "-peak", "_peak", "größe", "a/b"})
    void aNameWithOtherCharactersIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Phase(name, 1, ONCE))
                .withMessage("phase name '%s': expected lower-case letters, digits, - and _", name);
    }

    @Test
    void aNameHasFortyCharactersAtMost() {
        assertThat(new Phase("x".repeat(40), 1, ONCE).name()).hasSize(40);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Phase("x".repeat(41), 1, ONCE))
                .withMessageContaining("phase name 'xxx");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1_000_000_001})
    void iterationsOutOfRangeAreRejected(long perUser) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PhaseLength.Iterations(perUser))
                .withMessage("iterations %s: expected 1 to 1000000000", perUser);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT720H0.000000001S"})
    void aDurationOutOfRangeIsRejected(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PhaseLength.Lasting(duration))
                .withMessage("duration %s: expected more than 0 and at most 30 days", duration);
    }

    @Test
    void theLongestAndTheShortestDurationAreAccepted() {
        assertThat(new PhaseLength.Lasting(Duration.ofDays(30)).duration()).hasDays(30);
        assertThat(new PhaseLength.Lasting(Duration.ofNanos(1)).duration()).hasNanos(1);
    }
}
