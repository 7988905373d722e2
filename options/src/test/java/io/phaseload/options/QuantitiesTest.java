package io.phaseload.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "100, 100",
        "10k, 10000",
        "10K, 10000",
        "1.5m, 1500000",
        "0.001k, 1",
        "9223372036854775807, 9223372036854775807"
    })
    void readsCounts(String text, long count) {
        assertThat(Quantities.parseCount(text, 1)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "abc",
                "-1",
                "+1",
                "0",
                "1.5",
                "1,000",
                "1e3",
                "NaN",
                "Infinity",
                "10g",
                "10kk",
                "k",
                "0x10",
                "9223372036854775808",
                "9223372036854775807k",
                "1.",
                ".5",
                "٣",
                "99999999999999999999999999999999999999999999"
            })
    void refusesWhatIsNoCount(String text) {
        assertThatThrownBy(() -> Quantities.parseCount(text, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a whole number of 1 or more, such as 100 or 10k");
    }

    @Test
    void theSmallestCountIsUpToTheCaller() {
        assertThat(Quantities.parseCount("0", 0)).isZero();
        assertThatThrownBy(() -> Quantities.parseCount("4", 5))
                .hasMessage("expected a whole number of 5 or more, such as 100 or 10k");
    }

    @ParameterizedTest
    @CsvSource({
        "250ms, PT0.25S",
        "30s, PT30S",
        "1.5s, PT1.5S",
        "5m, PT5M",
        "1h, PT1H",
        "1H, PT1H",
        "50us, PT0.00005S",
        "0.000001ms, PT0.000000001S"
    })
    void readsDurations(String text, Duration duration) {
        assertThat(Quantities.parseDuration(text, false)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-1s", "0s", "1d", "1 s", "1,5s", "0.0000001ms", "9999999h"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> Quantities.parseDuration(text, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a time above 0, such as 250ms, 30s, 5m or 1h");
    }

    @Test
    void zeroIsADurationIfAllowed() {
        assertThat(Quantities.parseDuration("0s", true)).isZero();
        assertThatThrownBy(() -> Quantities.parseDuration("0", true))
                .hasMessage("expected a time of 0s or more, such as 250ms, 30s, 5m or 1h");
    }

    @ParameterizedTest
    @CsvSource({"512, 512", "64k, 65536", "1m, 1048576", "1.5M, 1572864", "2g, 2147483648"})
    void readsSizes(String text, long bytes) {
        assertThat(Quantities.parseSize(text, 1)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "64kb", "1t", "1.0001k", "99999999999g"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> Quantities.parseSize(text, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a size of 1 byte or more, such as 512, 64k or 1m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tr-TR", "de-DE", "ar-EG"})
    void readsTheSameInEveryLocale(String tag) {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag(tag));
            assertThat(Quantities.parseCount("1.5K", 1)).isEqualTo(1500);
            assertThat(Quantities.parseDuration("1.5MS", false)).isEqualTo(Duration.ofNanos(1_500_000));
            assertThatThrownBy(() -> Quantities.parseCount("x", 1000)).hasMessageContaining("of 1000 or more");
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @CsvSource({"5%, 5", "0.1%, 0.1", "0%, 0", "100%, 100", "' 2.5 % ', 2.5"})
    void readsPercentages(String text, double percent) {
        assertThat(Quantities.parsePercent(text)).isEqualTo(percent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "%", "-1%", "100.1%", "1000%", "1e1%", ".5%", "5 percent"})
    void refusesWhatIsNoPercentage(String text) {
        assertThatThrownBy(() -> Quantities.parsePercent(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a percentage from 0% to 100%, such as 5% or 0.1%");
    }
}
