package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.Plan;
import io.phaseload.plan.connection.Credentials;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.engine.Access;
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
        return PlanFile.of(
                SettingsFile.parse("plan.yaml", "plan.yaml", (TARGET + yaml).getBytes(StandardCharsets.UTF_8)),
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
        Plan plan = read(
                """
                        client:
                          name: httpclient
                          pool: 8
                          poolPerRoute: 4
                          poolPolicy: fifo
                          poolConcurrency: offlock
                          poolTimeToLive: 1m
                          poolValidateAfter: 10ms
                          poolKeepAlive: 20s
                          leaseTimeout: 2s
                          retries: 3
                          followRedirects: true
                          keepCookies: true
                          decode: true
                          expectContinue: true
                          proxy: http://gate:3128
                        """);

        assertThat(plan.engine().client())
                .contains(new HttpClientSettings(
                        new ConnectionPool(
                                OptionalInt.of(8),
                                OptionalInt.of(4),
                                ConnectionPool.Policy.FIFO,
                                ConnectionPool.Concurrency.OFFLOCK,
                                Optional.of(Duration.ofMinutes(1)),
                                Duration.ofMillis(10),
                                Duration.ofSeconds(20)),
                        Duration.ofSeconds(2),
                        3,
                        Set.of(Feature.values()),
                        new Access(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(new Proxy(Proxy.Kind.HTTP, "gate", 3128, Optional.empty())))));
        assertThat(kept(plan)).isEqualTo(plan.engine());
    }

    @ParameterizedTest
    @CsvSource({"socks5://gate:1080, SOCKS5", "'socks5h://[::1]:1080', SOCKS5H"})
    void aProxyMaySpeakSocks(String address, Proxy.Kind kind) throws Exception {
        Plan plan = read("client: {name: httpclient, proxy: '%s'}".formatted(address));

        Proxy proxy = plan.engine().client().orElseThrow().access().proxy().orElseThrow();
        assertThat(proxy.kind()).isEqualTo(kind);
        assertThat(proxy).hasToString(address);
        assertThat(kept(plan)).isEqualTo(plan.engine());
    }

    @Test
    void eachUserMayHaveAPool() throws Exception {
        Plan plan = read("client: {name: httpclient, pool: user}");

        assertThat(plan.engine().client().orElseThrow().pool().total()).isEmpty();
        assertThat(kept(plan)).isEqualTo(plan.engine());
    }

    private static final String SECRETS = "client: {name: httpclient, credentials: 'me:pass:word', bearerToken: abc,"
            + " proxy: 'http://you:p%40ss@[::1]:80'}";

    @Test
    void secretsAreReadAndNotWritten() throws Exception {
        Plan plan = read(SECRETS);

        assertThat(plan.engine().client().orElseThrow().access())
                .isEqualTo(new Access(
                        Optional.of(new Credentials("me", "pass:word")),
                        Optional.of("abc"),
                        Optional.of(
                                new Proxy(Proxy.Kind.HTTP, "[::1]", 80, Optional.of(new Credentials("you", "p@ss"))))));
        assertThat(PlanDocument.of(plan).get("client").toString())
                .contains("\"credentials\":\"[redacted]:[redacted]\",\"bearerToken\":\"[redacted]\","
                        + "\"proxy\":\"http://[redacted]:[redacted]@[::1]:80\"");
        assertThat(plan.toString()).doesNotContain("word", "abc", "p@ss");
        assertThat(PlanFile.ofResult(PlanFile.toResultJson(plan)).engine().client())
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "credentials|'[redacted]:[redacted]'",
                "bearerToken|'[redacted]'",
                "proxy|'http://[redacted]:[redacted]@gate:80'"
            })
    void whatWasASecretMustBeSaidAgain(String key, String value) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read("client:\n  name: httpclient\n  %s: \"%s\"".formatted(key, value)))
                .withMessage("plan.yaml: line 4: client.%s %s: expected a copy of the file with the secret in it"
                        .formatted(key, value));
    }

    /** As a file and as a result have it. */
    private static EngineSettings kept(Plan plan) throws Exception {
        String json = PlanFile.toJson(plan);
        EngineSettings ofFile = PlanFile.of(
                        SettingsFile.parse("plan.yaml", "plan.yaml", json.getBytes(StandardCharsets.UTF_8)),
                        Optional.empty())
                .engine();
        assertThat(PlanFile.ofResult(PlanFile.toResultJson(plan)).engine()).isEqualTo(ofFile);
        return ofFile;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client: {name: wire, pool: 8} |client.pool 8 needs client.name httpclient",
                "client: {name: wire, expectContinue: true}" + "|client.expectContinue needs client.name httpclient",
                "client: {name: httpclient, pool: user, poolPerRoute: 2}"
                        + "|client.poolPerRoute 2 needs client.pool N",
                "client: {name: httpclient, pool: 0}|client.pool 0: expected",
                "client: {name: httpclient, pool: many}" + "|client.pool many: expected",
                "client: {name: httpclient, credentials: secret}" + "|client.credentials: expected NAME:PASSWORD",
                "client: {name: wire, bearerToken: secret}" + "|client.bearerToken needs client.name httpclient",
                "client: {name: httpclient, proxy: 'https://gate:80'}"
                        + "|client.proxy https://gate:80: expected http://[NAME:PASSWORD@]host:port",
                "client: {name: httpclient, proxy: 'http://gate:0'}"
                        + "|client.proxy http://gate:0: expected 1 to 65535",
                "client: {name: httpclient, proxy: 'http://me:secret@'}"
                        + "|client.proxy http://…@: expected http://[NAME:PASSWORD@]host:port",
                "client: {name: httpclient, proxy: 'socks4://gate:80'}"
                        + "|client.proxy socks4://gate:80: expected http://[NAME:PASSWORD@]host:port,"
                        + " socks5://host:port or socks5h://host:port",
                "client: {name: httpclient, proxy: 'socks5://me:secret@gate:80'}"
                        + "|client.proxy socks5://…@gate:80: expected socks5://host:port, without a"
                        + " name and password",
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
                        () -> new HttpClientSettings(ConnectionPool.DEFAULT, Duration.ZERO, 0, Set.of(), Access.OPEN))
                .withMessageStartingWith("lease timeout PT0S: expected more than 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HttpClientSettings(
                        ConnectionPool.DEFAULT, Duration.ofSeconds(1), 101, Set.of(), Access.OPEN))
                .withMessage("retries 101: expected 0 to 100");
    }
}
