package io.phaseload.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rates there are, how they are written, and where their events are. */
class RateTest {

    @ParameterizedTest
    @CsvSource({"500/s, 500", "1.5k/s, 1500", "30/m, 0.5", "0.1/s, 0.1", "36/h, 0.01", "2m/s, 2e6"})
    void ratesAreParsed(String text, double perSecond) {
        assertThat(Rate.parse(text).perSecond()).isCloseTo(perSecond, within(perSecond * 1e-12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "500", "/s", "500/", "500/d", "-1/s", "0/s", "0.0/s", "1e3/s", "100m/s"})
    void rejectsTextThatIsNotARate(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Rate.parse(text)).withMessageContaining("expected");
    }

    @Test
    void sharesOfARateAreExactWherePossible() {
        assertThat(Rate.perSecond(500).times(0.1)).isEqualTo(Rate.perSecond(50));
        assertThat(Rate.perSecond(1).times(0.25).perSecond()).isEqualTo(0.25);
        assertThat(Rate.perSecond(1).times(1 / 3.0).perSecond()).isCloseTo(1 / 3.0, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "500/s, 500/s",
        "30/m, 30/60s",
        "0.5/s, 5/10s",
        "1.5k/s, 1500/s",
        "7/2h, 7/7200s",
        "20/5000000000s, 20/5000000000s",
    })
    void textRoundTrips(String text, String written) {
        assertThat(Rate.parse(text)).hasToString(written);
        assertThat(Rate.parse(written)).isEqualTo(Rate.parse(text));
    }

    /** Written with a number of seconds or decimals that only makes sense as a mistake. */
    @ParameterizedTest
    @ValueSource(strings = {"1/5000000001s", "0.000001/9999999999h", "1/0s", "10000001/s"})
    void rejectsTextOutOfRange(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Rate.parse(text));
    }

    @Test
    void theRangeIsFromOneIn158YearsToTenMillionASecond() {
        Duration longest = Duration.ofSeconds(5_000_000_000L);

        assertThat(new Rate(1, longest).perSecond()).isEqualTo(2e-10);
        assertThat(Rate.perSecond(10_000_000).perSecond()).isEqualTo(1e7);
        assertThat(new Rate(50_000_000_000_000_000L, longest).perSecond()).isEqualTo(1e7);
        assertThatIllegalArgumentException().isThrownBy(() -> Rate.perSecond(0));
        assertThatIllegalArgumentException().isThrownBy(() -> Rate.perSecond(10_000_001));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rate(1, longest.plusSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rate(1, Duration.ofMillis(999)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rate(1, Duration.ofMillis(1_500)));
    }

    /** In numbers of any size: index × per / events, rounded down; and the reverse, rounded up. */
    @ParameterizedTest
    @CsvSource({
        "3, 1, 1000000007",
        "7, 3600, 2555555",
        "9999991, 1, 90000000000001",
        "9007199254740881, 1000000000, 9007199254740880",
        "9007199254740881, 1000000000, 81064793292667929",
    })
    void offsetsAndCountsAreExact(long perSeconds, long seconds, long index) {
        Rate rate = new Rate(perSeconds, Duration.ofSeconds(seconds));
        BigInteger events = BigInteger.valueOf(rate.events());
        BigInteger per = BigInteger.valueOf(rate.per().toNanos());
        long offset = BigInteger.valueOf(index).multiply(per).divide(events).longValueExact();

        assertThat(rate.offsetNanos(index)).isEqualTo(offset);
        assertThat(rate.eventsBefore(offset)).isLessThanOrEqualTo(index);
        assertThat(rate.eventsBefore(offset + 1)).isGreaterThan(index);
    }

    @Test
    void nothingHappensBeforeTheStart() {
        Rate rate = Rate.perSecond(1_000_000);

        assertThat(rate.eventsBefore(-1_000_000_000)).isZero();
        assertThat(rate.eventsBefore(0)).isZero();
        assertThat(rate.eventsBefore(1)).isEqualTo(1);
        assertThat(rate.eventsBefore(1_000)).isEqualTo(1);
        assertThat(rate.eventsBefore(1_001)).isEqualTo(2);
    }
}
