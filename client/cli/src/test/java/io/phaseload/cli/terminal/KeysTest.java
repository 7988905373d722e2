package io.phaseload.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.LoadChange;
import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.LoadState;
import io.phaseload.run.Steering;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The change that each key asks for. */
class KeysTest {

    private final List<String> asked = new ArrayList<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Optional<LoadState> load = Optional.empty();

    private final Steering run = new Steering() {
        @Override
        public LoadEvent steer(Kind kind, String to, String origin) {
            assertThat(origin).isEqualTo("key");
            asked.add((kind.key() + " " + to).strip());
            String from = load.map(LoadState::level).orElse("");
            return new LoadEvent(Duration.ZERO, new LoadChange("peak", Duration.ZERO, kind, to), from, origin);
        }

        @Override
        public Optional<LoadState> load() {
            return load;
        }
    };

    private void press(String keys) {
        PrintStream lines = new PrintStream(err, true, StandardCharsets.UTF_8);
        Keys all = new Keys(InputStream.nullInputStream(), lines::println, run, false);
        keys.chars().forEach(key -> all.pressed((char) key));
    }

    @ParameterizedTest
    @CsvSource({
        "100/s,+,rate 110/s",
        "100/s,-,rate 91/s",
        "2/s,+,rate 22/10s",
        "100/s,250;,rate 250/s",
        "20,+,users 22",
        "1,+,users 2",
        "1,-,users 1",
        "20,-,users 18",
        "20,3x5;,users 5",
        "20,p,pause",
        "20,n,next",
        "20,s,stop",
        "20,A,abort"
    })
    void aKeyIsAChange(String level, String keys, String change) {
        load = Optional.of(new LoadState("peak", level.contains("/"), level, false));

        press(keys.replace(';', '\n'));

        assertThat(asked).containsExactly(change);
    }

    @Test
    void aPausedPhaseGoesOn() {
        load = Optional.of(new LoadState("peak", true, "5/s", true));
        press("p");
        assertThat(asked).containsExactly("resume");
    }

    @Test
    void otherKeysDoNothing() {
        press("aSq\n");
        assertThat(asked).isEmpty();
        press("+?");
        assertThat(asked).isEmpty();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("no phase runs whose load can be changed")
                .contains("250 Enter");
    }
}
