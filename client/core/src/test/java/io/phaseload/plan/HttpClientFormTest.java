package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.HttpClientSettings.Feature;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plan's file says of the client. */
class HttpClientFormTest {

    private static final String TARGET = "target: http://localhost/\n";

    private static Plan read(String yaml) throws Exception {
        return Plan.of(
                SettingsFile.parse(
                        "plan.yaml", "plan.yaml", (TARGET + yaml).getBytes(StandardCharsets.UTF_8)),
                Optional.empty());
    }

    private static Optional<HttpClientSettings> client(String yaml) throws Exception {
        return read(yaml).engine().client();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "client: wire", "client: {name: wire}"})
    void ourOwnIsTheDefaultAndIsNotWritten(String yaml) throws Exception {
        Plan plan = read(yaml);

        assertThat(plan.engine().client()).isEmpty();
        assertThat(plan.engine().clientName()).isEqualTo("wire");
        assertThat(PlanDocument.of(plan).has("client")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client: httpclient", "client: {name: httpclient}"})
    void itIsAsHttpClientIsByDefault(String yaml) throws Exception {
        assertThat(client(yaml)).contains(HttpClientSettings.DEFAULT);
        assertThat(read(yaml).engine().clientName()).isEqualTo("httpclient");
    }

    @Test
    void everythingCanBeSaidAndIsKept() throws Exception {
        Plan plan =
                read(
                        """
                        client:
                          name: httpclient
                          pool: 8
                          poolPerRoute: 4
                          poolPolicy: fifo
                          poolConcurrency: offlock
                          poolTimeToLive: 1m
                          poolValidateAfter: 10ms
                          leaseTimeout: 2s
                          retries: 3
                          followRedirects: true
                          keepCookies: true
                          decode: true
                          expectContinue: true
                        """);

        assertThat(plan.engine().client())
                .contains(
                        new HttpClientSettings(
                                new ConnectionPool(
                                        OptionalInt.of(8),
                                        OptionalInt.of(4),
                                        ConnectionPool.Policy.FIFO,
                                        ConnectionPool.Concurrency.OFFLOCK,
                                        Optional.of(Duration.ofMinutes(1)),
                                        Duration.ofMillis(10)),
                                Duration.ofSeconds(2),
                                3,
                                Set.of(Feature.values())));
        assertThat(kept(plan)).isEqualTo(plan.engine());
    }

    @Test
    void eachUserMayHaveAPool() throws Exception {
        Plan plan = read("client: {name: httpclient, pool: user}");

        assertThat(plan.engine().client().orElseThrow().pool().total()).isEmpty();
        assertThat(kept(plan)).isEqualTo(plan.engine());
    }

    /** As a file and as a result have it. */
    private static EngineSettings kept(Plan plan) throws Exception {
        String json = plan.toJson();
        EngineSettings ofFile =
                Plan.of(
                                SettingsFile.parse(
                                        "plan.yaml",
                                        "plan.yaml",
                                        json.getBytes(StandardCharsets.UTF_8)),
                                Optional.empty())
                        .engine();
        assertThat(PlanDocument.ofResult(PlanDocument.of(plan)).engine()).isEqualTo(ofFile);
        return ofFile;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client: {name: wire, pool: 8} |client.pool 8 needs client.name httpclient",
                "client: {name: wire, keepCookies: true}"
                        + "|client.keepCookies needs client.name httpclient",
                "client: {name: httpclient, pool: user, poolPerRoute: 2}"
                        + "|client.poolPerRoute 2 needs client.pool N",
                "client: {name: httpclient, pool: 0}|client.pool 0: expected",
                "client: {name: httpclient, pool: many}" + "|client.pool many: expected",
                "client: apache|client apache: expected wire or httpclient",
            })
    void whatMakesNoSenseIsRefused(String yaml, String message) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(yaml))
                .withMessageContaining(message);
    }

    @Test
    void onlyThreadsHaveIt() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read("client: httpclient\nengine: events"))
                .withMessageContaining("client httpclient needs engine.name threads");
    }

    @Test
    void limitsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionPool.DEFAULT.of(0))
                .withMessage("pool 0: expected 1 to 1000000");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new HttpClientSettings(
                                        ConnectionPool.DEFAULT, Duration.ZERO, 0, Set.of()))
                .withMessageStartingWith("lease timeout PT0S: expected more than 0");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new HttpClientSettings(
                                        ConnectionPool.DEFAULT,
                                        Duration.ofSeconds(1),
                                        101,
                                        Set.of()))
                .withMessage("retries 101: expected 0 to 100");
    }
}
