package io.phaseload.plan.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.journey.Template.Built;
import io.phaseload.plan.journey.Template.Encoded;
import io.phaseload.plan.journey.Template.Encoding;
import io.phaseload.plan.journey.Template.Literal;
import io.phaseload.plan.journey.Template.PlaceholderSource;
import io.phaseload.plan.journey.Template.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    @Test
    void namesAndFunctionsStandInBraces() {
        assertThat(Template.parse("/a/{id}?n={random:-2..7}&u={accounts.first-name}")
                        .parts())
                .containsExactly(
                        new Literal("/a/"),
                        new Value("id"),
                        new Literal("?n="),
                        new Built(PlaceholderSource.RANDOM, -2, 7),
                        new Literal("&u="),
                        new Value("accounts.first-name"));
    }

    @Test
    void namesWithinFunctionsAreKnown() {
        assertThat(Template.parse("{base64:{a}:{urlencode:{b}}}{hmac:c:{d}}{uuid}")
                        .names())
                .containsExactly("a", "b", "c", "d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1}", "{}", "{ a }", "a}b", "{1}"})
    void otherBracesAreBraces(String text) {
        assertThat(Template.parse(text).parts()).containsExactly(new Literal(text));
    }

    @Test
    void twoBracesAreOne() {
        assertThat(Template.parse("query{{user}").parts()).containsExactly(new Literal("query{user}"));
        assertThat(Template.parse(Template.quoted("{id}{{")).parts()).containsExactly(new Literal("{id}{{"));
    }

    @Test
    void aFunctionsTextMayBeJson() {
        assertThat(Template.parse("{hex:{\"a\":{\"b\":\"{id}\"}}}!").parts())
                .containsExactly(
                        new Encoded(Encoding.HEX, "", Template.parse("{\"a\":{\"b\":\"{id}\"}}")), new Literal("!"));
        assertThat(Template.parse("{hex:{{}").literals()).isEqualTo("{");
    }

    @Test
    void aValueMayHaveTheNameOfAFunctionWithAnArgument() {
        assertThat(Template.parse("{jwt}").parts()).containsExactly(new Value("jwt"));
        assertThat(Template.checkName("jwt")).isEqualTo("jwt");
    }

    @Test
    void partsPrintAsTheyAreWritten() {
        String text = "{{a}{hmac:key:{base64:{id}}}{random:1..6}{now}{now:s}{now:us}{counter}{counter:user}"
                + "{iteration}{iteration:0..9}";
        StringBuilder printed = new StringBuilder();
        Template.parse(text).parts().forEach(printed::append);
        assertThat(printed).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{id:1}|expected a name, or counter",
                "{counter:all}|expected {counter} at character 1",
                "{random}|expected {random:1..6} at character 1",
                "x{random:6..1}|expected a range whose first number is the least at character 2",
                "{hmac:x}|expected {hmac:name of the key:text}",
                "{jwt:{a}}|expected {jwt:name of the key:text}",
                "{now:ms}|expected {now} at character 1",
                "{base64:{id}|expected a } that ends {base64: at character 1",
                "{iteration:3}|expected {iteration} or {iteration:0..9} at character 1",
                "{iteration:3..1}|expected a range whose first number is the least",
                "{uuid:4}|expected {uuid} at character 1",
                "{json:{json:{json:{json:{json:{json:{json:{json:{json:{json:x|expected fewer"
            })
    void mistakesAreNamed(String text, String message) {
        assertThatThrownBy(() -> Template.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource({"'', '', false", "x, '', true", "'', x, true"})
    void conditionsCompareTexts(String left, String right, boolean different) {
        Condition condition = Condition.parse("{a} != ''");
        assertThat(condition.holds(left, right)).isEqualTo(different);
        assertThat(Condition.parse(condition.toString())).isEqualTo(condition);
    }

    @ParameterizedTest
    @CsvSource({
        "==, 1.0, 1, true",
        "<, 9, 10, true",
        "<, a, b, false",
        ">=, 10, 9, true",
        ">, 10, 10, false",
        "<=, 10, 10, true",
        "!=, 1, 1.00, false"
    })
    void conditionsCompareNumbers(String operator, String left, String right, boolean holds) {
        assertThat(Condition.parse("{a} " + operator + " {b}").holds(left, right))
                .isEqualTo(holds);
    }

    @Test
    void conditionsNeedTwoSides() {
        assertThatThrownBy(() -> Condition.parse("{a}")).hasMessageStartingWith("expected two sides");
    }
}
