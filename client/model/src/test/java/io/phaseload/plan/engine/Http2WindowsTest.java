package io.phaseload.plan.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Http2WindowsTest {

    @ParameterizedTest
    @CsvSource({
        "'6MiB,15MiB', '6MiB,15MiB'",
        "'65535,65536', '65535,64KiB'",
        "'1024KiB,2147483647', '1MiB,2147483647'",
    })
    void roundTrips(String text, String written) {
        assertThat(Http2Windows.parse(text)).hasToString(written);
        assertThat(Http2Windows.parse(written)).isEqualTo(Http2Windows.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "6MiB, 'windows 6MiB: expected bytes per stream and per connection, such as 6MiB,15MiB'",
        "'6MB,1MiB', 'windows 6MB,1MiB: expected bytes per stream and per connection, such as" + " 6MiB,15MiB'",
        "'65534,65535', 'stream window 65534: expected 65535 to 2147483647'",
        "'65535,0', 'connection window 0: expected 65535 to 2147483647'",
        "'65535,2048MiB', 'window 2147483648: expected 65535 to 2147483647'",
        "'9999999999MiB,1MiB', 'window 10485759998951424: expected 65535 to 2147483647'",
    })
    void rejectsInvalidText(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Http2Windows.parse(text))
                .withMessage(message);
    }
}
