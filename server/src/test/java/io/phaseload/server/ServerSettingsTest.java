package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServerSettingsTest {

    @Test
    void hasDefaults() {
        ServerSettings settings = ServerSettings.defaults();
        assertThat(settings.address()).isEqualTo("127.0.0.1");
        assertThat(settings.port()).isEqualTo(8080);
        assertThat(settings.maxThreads()).isEqualTo(500);
        assertThat(settings.virtualThreads()).isFalse();
    }

    @Test
    void theBuilderSetsEveryValue() {
        ServerSettings settings = ServerSettings.builder()
                .address("::1")
                .port(1)
                .maxThreads(2)
                .acceptCount(3)
                .maxConnections(4)
                .virtualThreads(false)
                .maxBodyBytes(5)
                .maxItems(6)
                .maxItemBytes(7)
                .drainTimeout(Duration.ofMillis(8))
                .build();
        assertThat(settings).isEqualTo(new ServerSettings("::1", 1, 2, 3, 4, false, 5, 6, 7, Duration.ofMillis(8)));
    }

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                wrong(b -> b.address(" "), "address  : expected a host or address"),
                wrong(b -> b.address(null), "address null: expected a host or address"),
                wrong(b -> b.port(-1), "port -1: expected 0 to 65535"),
                wrong(b -> b.port(65_536), "port 65536: expected 0 to 65535"),
                wrong(b -> b.maxThreads(0), "maxThreads 0: expected 1 to 10000"),
                wrong(b -> b.acceptCount(0), "acceptCount 0: expected 1 to 65535"),
                wrong(b -> b.maxConnections(0), "maxConnections 0: expected 1 to 1000000"),
                wrong(b -> b.maxBodyBytes(0), "maxBodyBytes 0: expected 1 to 1073741824"),
                wrong(b -> b.maxItems(0), "maxItems 0: expected 1 to 10000000"),
                wrong(b -> b.maxItemBytes(0), "maxItemBytes 0: expected 1 to 1073741824"),
                wrong(b -> b.drainTimeout(null), "drainTimeout null: expected 0 to PT1H"),
                wrong(b -> b.drainTimeout(Duration.ofMillis(-1)), "drainTimeout PT-0.001S: expected 0 to PT1H"),
                wrong(b -> b.drainTimeout(Duration.ofHours(2)), "drainTimeout PT2H: expected 0 to PT1H"));
    }

    private static Arguments wrong(UnaryOperator<ServerSettings.Builder> change, String message) {
        return Arguments.of(change, message);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("outOfRange")
    void rejectsValuesOutOfRange(UnaryOperator<ServerSettings.Builder> change, String message) {
        ServerSettings.Builder builder = change.apply(ServerSettings.builder());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
