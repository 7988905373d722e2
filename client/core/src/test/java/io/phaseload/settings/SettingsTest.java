package io.phaseload.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.planfile.PlanFile;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Settings of a file with those of options over them. */
class SettingsTest {

    private static Settings file(String yaml) throws Exception {
        return SettingsFile.parse("plan", "a.yaml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static Given option(String setting, String text) {
        return Given.text(setting, text, new Origin.Option(Setting.of(setting).option()));
    }

    private static void assertRefused(Settings settings, String message) {
        assertThatThrownBy(() -> PlanFile.of(settings, Optional.empty()))
                .isInstanceOf(SettingsException.class)
                .hasMessage(message);
    }

    @Test
    void aContradictionNamesBothAsTheyWereWritten() throws Exception {
        Settings trusted = file("target: {url: 'https://h/', cacert: ca.pem}\n");
        Settings insecure = Settings.NONE.with("target.insecure", Given.flag(true, new Origin.Option("--insecure")));
        assertRefused(insecure.over(trusted), "plan: line 1: target.cacert ca.pem cannot be combined with --insecure");

        Settings property = Settings.NONE.with(
                "engine.pipeline", Given.text("engine.pipeline", "2", new Origin.Property("pipeline")));
        assertRefused(
                property.over(file("target: http://h/\nengine: {name: events, http2: true}\n")),
                "-Dpipeline=2 cannot be combined with engine.http2");
        assertRefused(
                Settings.NONE
                        .with(Setting.URL, option(Setting.URL, "http://h/"))
                        .with(Setting.RATE, option(Setting.RATE, "5/s"))
                        .with("pacing", option("pacing", "1s")),
                "--rate 5/s cannot be combined with --pacing");
    }

    /** They would be shown as Base64, if at all. */
    @Test
    void bytesAreNotShown() {
        Given body = Given.of(JsonNodeFactory.instance.binaryNode(new byte[] {1, 2, 3}), new Origin.Option("--body"));
        assertThat(body.wrong("no").getMessage()).isEqualTo("--body: no");
    }
}
