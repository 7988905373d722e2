package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.connection.Route;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The way to a target in plans. */
class RouteFormTest {

    private static Plan read(String keys, String more) throws CharacterCodingException {
        String yaml = "target: {url: 'https://shop.example/'" + keys + "}\n" + more;
        return PlanFile.of(
                SettingsFile.parse("plan.yaml", "plan.yaml", yaml.getBytes(StandardCharsets.UTF_8)), Optional.empty());
    }

    static Stream<Arguments> routes() {
        return Stream.of(
                Arguments.of("", "", Route.DIRECT),
                Arguments.of(
                        ", resolve: 'shop.example:443:192.0.2.7,[2001:db8::1]'",
                        "",
                        new Route.To(List.of("192.0.2.7", "2001:db8::1"), 443)),
                Arguments.of(", connectTo: '::canary.example:8443'", "", new Route.To(List.of("canary.example"), 8443)),
                Arguments.of(", connectTo: 'SHOP.example:443::444'", "", new Route.To(List.of("shop.example"), 444)),
                Arguments.of(", unixSocket: /run/s", "", new Route.UnixSocket(Path.of("/run/s"))),
                Arguments.of(
                        "",
                        "client: {name: wire, proxy: 'http://me:s%3Acret%20@gate:80'}",
                        new Route.By(Proxy.parse("http://me:s%3Acret%20@gate:80"))));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aWayIsReadAndWritten(String keys, String more, Route route) throws Exception {
        Plan plan = read(keys, more);
        assertThat(plan.target().route()).isEqualTo(route);

        String kept = PlanFile.toResultJson(plan);
        assertThat(kept).doesNotContain("cret");
        Route again = PlanFile.ofResult(kept).target().route();
        assertThat(again.toString()).isEqualTo(route.toString());

        String sent = PlanFile.toSharedJson(plan);
        if (!(plan.target().route() instanceof Route.UnixSocket)) {
            assertThat(PlanFile.ofShared(sent)).isEqualTo(plan);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    , resolve: 'other:443:1.2.3.4'         | expected it for shop.example:443, which requests are sent to
                    , resolve: 'shop.example:80:1.2.3.4'   | expected it for shop.example:443, which requests are sent to
                    , resolve: 'shop.example:443'          | expected HOST:PORT:ADDRESS, with the host and port of the url
                    , connectTo: '::a:99999'               | expected 1 to 65535
                    , connectTo: '::a:1', unixSocket: /s   | target.connectTo ::a:1 cannot be combined with target.unixSocket
                    """)
    void whatMakesNoSenseIsRefused(String keys, String message) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(keys, ""))
                .withMessageContaining(message);
    }

    @Test
    void nodesAreOfMessagesAlone() throws Exception {
        String yaml = "target: {url: 'ws://chat.example/{pair}', nodes: 'a:81,[::1]:82'}\nrate: 9/s\n";
        Plan plan = PlanFile.of(
                SettingsFile.parse("plan.yaml", "plan.yaml", yaml.getBytes(StandardCharsets.UTF_8)), Optional.empty());
        Route.To first = new Route.To(List.of("a"), 81);
        Route.To second = new Route.To(List.of("::1"), 82);
        assertThat(plan.target().route()).isEqualTo(new Route.Nodes(List.of(first, second)));
        assertThat(plan.target().nodes()).extracting(Target::route).containsExactly(first, second);
        assertThat(PlanFile.ofShared(PlanFile.toSharedJson(plan))).isEqualTo(plan);

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(", nodes: 'a:81'", ""))
                .withMessageContaining("target.nodes a:81 needs target.url ws://");
    }

    /** A copy without its password can't be run. */
    @Test
    void aSecretHasToBeGivenAgain() throws Exception {
        Plan plan = read("", "client: {name: wire, proxy: 'http://me:secret@gate:80'}");
        String kept = PlanDocument.file(plan).toString();

        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> PlanFile.of(
                        SettingsFile.parse("p.json", "p.json", kept.getBytes(StandardCharsets.UTF_8)),
                        Optional.empty()))
                .withMessageContaining("expected a copy of the file with the secret in it");
    }

    @Test
    void whatHttpClientKnowsIsSentToo() throws Exception {
        Plan plan = read(
                "",
                "client: {name: httpclient, credentials: 'me:secret', bearerToken: secret,"
                        + " proxy: 'http://me:secret@gate:80'}");

        assertThat(PlanFile.ofShared(PlanFile.toSharedJson(plan))).isEqualTo(plan);
        assertThat(PlanFile.toJson(plan)).doesNotContain("secret");
    }
}
