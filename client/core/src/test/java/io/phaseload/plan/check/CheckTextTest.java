package io.phaseload.plan.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "body='alive'",
                "body='it''s' as 'a ''cause'",
                "status=2xx,304 as 'not there'",
                "body~'a' as 'b' status=200 body='as ''x' as 'y'"
            })
    void namesAreReadAsTheyAreWritten(String text) {
        List<Check> checks = Check.parse(text);
        assertThat(checks.stream().map(Check::toString).collect(Collectors.joining(" ")))
                .isEqualTo(text);
        assertThat(checks)
                .allSatisfy(
                        check ->
                                assertThat(Check.parseWritten(check.toString()))
                                        .containsExactly(check));
    }

    @Test
    void aCauseIsTheNameOrTheText() {
        assertThat(
                        Check.parse("body=alive as \"isn't alive\" status=200 body~as").stream()
                                .map(Check::cause))
                .containsExactly("isn't alive", "check status=200", "check body~'as'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status=200 as",
                "as x",
                "body= as x",
                "status=200 as x as y",
                "body='a' as 'x: y'"
            })
    void whatIsNoNameIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Check.parse(text))
                .withMessageStartingWith("expected");
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
