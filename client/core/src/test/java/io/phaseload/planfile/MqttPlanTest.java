package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Mqtt;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MqttPlanTest {

    @TempDir
    private Path folder;

    private Plan read(String target, String engine) throws IOException {
        return PlanFile.read(Files.writeString(
                folder.resolve("plan.yaml"),
                "{target: '%s', rate: 10 messages/s, engine: {name: websocket%s}}"
                        .formatted(target, engine.isEmpty() ? "" : ", " + engine)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mqtt://host/rooms/{pair}||rooms/{pair}|0|1883",
                "mqtts://host/a%20b?{pair}|qos: 1|a b?{pair}|1|8883",
                "mqtt://host:99|topic: '/{pair}'|/{pair}|0|99",
            })
    void thePathIsTheTopic(String target, String engine, String topic, int qos, int port) throws IOException {
        Plan plan = read(target, engine == null ? "" : engine);
        assertThat(protocol(plan).mqtt()).contains(new Mqtt(topic, qos));
        assertThat(protocol(plan).subprotocols()).isEmpty();
        assertThat(plan.target().port()).isEqualTo(port);
        assertThat(plan.target().tls()).isEqualTo(target.startsWith("mqtts"));
        PlanFile.write(plan, folder.resolve("written.yaml"));
        assertThat(PlanFile.read(folder.resolve("written.yaml"))).isEqualTo(plan);
    }

    @Test
    void withATopicAWebSocketCarriesMqtt() throws IOException {
        assertThat(protocol(read("ws://host/mqtt", "topic: 'r/{pair}', qos: 1")).subprotocols())
                .isEqualTo(List.of("mqtt"));
        assertThat(protocol(read("ws://host/mqtt", "topic: 'r/{pair}', subprotocols: mqttv3.1"))
                        .subprotocols())
                .isEqualTo(List.of("mqttv3.1"));
        assertThat(protocol(read("ws://host/{pair}", "")).mqtt()).isEqualTo(Optional.empty());
        assertThat(new Mqtt("r/{pair}", 0).topic(12)).isEqualTo("r/12");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mqtt://host/||expected a topic in the path, such as mqtt://host/rooms/{pair}, or --topic",
                "mqtt://host/rooms||expected {pair} in the path",
                "ws://host/{pair}|topic: rooms|topic rooms: expected {pair} in it",
                "ws://host/a|topic: 'a/+/{pair}'|expected a name such as rooms/{pair}, without + and #",
                "mqtt://host/a+/{pair}||expected a name such as rooms/{pair}, without + and #",
                "mqtt://host/{pair}|qos: 2|qos 2: expected at most 1",
                "mqtt://host/{pair}|compress: true|compress needs target.url ws://…",
                "mqtt://host/{pair}|subprotocols: a|subprotocols a needs target.url ws://…",
                "ws://host/{pair}|qos: 1|qos 1 needs engine.topic rooms/{pair}",
            })
    void mistakesAreNamed(String target, String engine, String expected) {
        assertThatThrownBy(() -> read(target, engine == null ? "" : engine))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(expected);
    }

    private static Protocol.WebSocket protocol(Plan plan) {
        return (Protocol.WebSocket) plan.engine().protocol();
    }
}
