package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.phaseload.plan.PairProtocol;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol of pairs in plans. */
class PairsFormTest {

    private static Plan read(String more) throws Exception {
        return read("plan.yaml", "target: ws://127.0.0.1:9\nrate: 10/s\nduration: 1s\n" + more);
    }

    private static Plan read(String file, String yaml) throws Exception {
        return PlanFile.of(SettingsFile.parse(file, file, yaml.getBytes(StandardCharsets.UTF_8)), Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "centrifugo",
                "deepstream",
                "deepstream-json",
                "graphql-transport-ws",
                "phoenix",
                "socket.io",
                "stomp"
            })
    void aReadyProtocolIsReadWrittenAndSharedAsAPartOfThePlan(String name) throws Exception {
        Plan plan = read("pairs: " + name + "\n");
        PairProtocol protocol = plan.scenario().pairs().orElseThrow();
        assertThat(protocol).isNotEqualTo(PairProtocol.RAW);
        assertThat(protocol.namesPairs()).isTrue();
        assertThat(plan.target().uri().getPath()).isNotEmpty();
        assertThat(PlanFile.ofShared(PlanFile.toSharedJson(plan))).isEqualTo(plan);
        PairProtocol kept = PlanFile.ofResult(PlanFile.toResultJson(plan))
                .scenario()
                .pairs()
                .orElseThrow();
        assertThat(kept.message()).isEqualTo(protocol.message());
        assertThat(kept.open()).isEqualTo(protocol.open());
    }

    @Test
    void aFileHasAProtocolAndItsVariables(@TempDir Path folder) throws Exception {
        Files.writeString(
                folder.resolve("own.yaml"),
                "variables: {token: s3cret, room: a}\npairs:\n  address: /{pair}?x=1\n  subprotocols: [a, b]\n"
                        + "  open: [{send: '{token} {room}'}, {think: 1s..2s}]\n  message: '<{message}>'\n");
        Plan plan = read(
                folder.resolve("plan.yaml").toString(),
                """
                target: ws://127.0.0.1:9
                rate: 10/s
                duration: 1s
                pairs: own.yaml
                """);
        assertThat(plan.target().uri().toString()).isEqualTo("ws://127.0.0.1:9/%7Bpair%7D?x=1");
        assertThat(((Protocol.WebSocket) plan.engine().protocol()).subprotocols())
                .containsExactly("a", "b");
        assertThat(plan.scenario().pairs().orElseThrow().variables()).isEqualTo(Map.of("token", "s3cret", "room", "a"));
        assertThat(PlanFile.toResultJson(plan)).doesNotContain("s3cret").contains("\"room\":\"a\"");
        assertThat(PlanFile.toSharedJson(plan)).contains("s3cret");
    }

    @Test
    void theUrlsOwnPathAndTheOptionsSubprotocolsComeFirst() throws Exception {
        Plan plan = read(
                "plan.yaml",
                """
                target: ws://127.0.0.1:9/mine
                rate: 10/s
                duration: 1s
                pairs: stomp
                engine: {name: websocket, subprotocols: v11.stomp}
                """);
        assertThat(plan.target().uri().getPath()).isEqualTo("/mine");
        assertThat(((Protocol.WebSocket) plan.engine().protocol()).subprotocols())
                .isEqualTo(List.of("v11.stomp"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pairs: nosuch|pairs nosuch: expected a file with pairs, or one of centrifugo, deepstream",
                "pairs: {open: [{send: a}]}|expected a key message",
                "pairs: {message: hello}|message: expected {message} in it, once",
                "pairs: {message: '{message}{message}'}|message: expected {message} in it, once",
                "pairs: {message: '{base64:{message}}'}|message: expected {message} in it, once",
                "pairs: {message: {binary: 'hex:00{pair}'}}|message: expected {hex:{message}} in it, once",
                "pairs: {message: '{hex:{message}}'}|message: expected {message} in it, once",
                "pairs: {message: '{message} {pair} {id}'}|{id}: expected one of message, pair, place, ref",
                "pairs: {message: '{message}', open: [{send: '{message}'}]}|expected it in message alone",
                "pairs: {message: '{message}', open: [{get: /}]}|expected steps of send, expect and think",
                "pairs: {message: '{message}', open: [{ping: 1s}]}|expected steps of send, expect and think",
                "pairs: {message: '{message}', open: [{send: a, onFailure: continue}]}|onFailure and metrics cannot be combined",
                "pairs: {message: '{message}', refused: 'header:X'}|header:X: expected a part of a message",
                "pairs: {message: '{message}', every: [{period: 0s, send: a}]}|period",
                "pairs: {message: '{message}', answer: []}|no such key, did you mean answers?",
                "pairs: {message: '{message}'}|expected {pair} in the path",
            })
    void mistakesAreNamed(String yaml, String message) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(yaml + "\n"))
                .withMessageContaining(message);
    }

    @Test
    void pairsNeedMessages() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read("plan.yaml", "target: http://127.0.0.1:9\npairs: deepstream\n"))
                .withMessageContaining("ws://");
    }
}
