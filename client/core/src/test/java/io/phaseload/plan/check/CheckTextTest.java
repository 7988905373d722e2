package io.phaseload.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alive",
                "it's",
                "''",
                "'",
                "a' status=200 body~'b",
                "x' body~'\"y\"",
                "\"both\" and '",
                "line\n' break"
            })
    void isReadAsItWasWritten(String text) {
        Check check = new Check.BodyContains(text);
        assertThat(Check.parseWritten(check.toString())).containsExactly(check);
        assertThat(Check.parse(check + " status=2xx"))
                .containsExactly(check, Check.StatusIs.parse("2xx"));
    }

    @Test
    void aLongTextTakesNoDeepStack() {
        Check check = new Check.BodyContains("x''".repeat(20_000));
        assertThat(Check.parseWritten(check.toString())).containsExactly(check);
    }

    /** Earlier versions didn't double quotes. */
    @Test
    void whatEarlierVersionsWroteIsRead() {
        assertThat(Check.parseWritten("body~'it's'"))
                .isEqualTo(List.of(new Check.BodyContains("it's")));
    }
}
