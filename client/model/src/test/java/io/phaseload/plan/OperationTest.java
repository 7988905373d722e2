package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.plan.check.Check;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations, and the scenario and the checks that go with them. */
class OperationTest {

    @Test
    void anOperationIsNamedAfterItsMethodAndPath() {
        assertThat(Operation.of("get", "/items?n=1"))
                .isEqualTo(
                        new Operation("GET /items?n=1", "GET", "/items?n=1", List.of(), Optional.empty(), List.of()));
    }

    @Test
    void copiesDifferInOneFieldOnly() {
        Body body = Body.ofText("x");
        Check check = new Check.StatusIs(201);
        Operation operation = Operation.get("/");

        assertThat(Operation.post("/", body))
                .isEqualTo(Operation.of("POST", "/").withBody(body));
        assertThat(operation.named("home").withBody(body).withChecks(check))
                .isEqualTo(new Operation("home", "GET", "/", List.of(), Optional.of(body), List.of(check)));
        assertThat(operation).isEqualTo(Operation.get("/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "get", "GE T", "G-T", "CONNECT", "ABCDEFGHIJKLMNOPQRSTU"})
    void anInvalidMethodIsRejected(String method) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Operation("x", method, "/", List.of(), Optional.empty(), List.of()))
                .withMessage("method '%s': expected an HTTP method such as GET or POST", method);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "items", "/a b", "/100%", "/%zz", "/a\r\nb", "/#top", "http://x/", "/\""})
    void anUnencodedPathIsRejected(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operation.get(path))
                .withMessage("path '%s': expected a path that begins with / and is percent-encoded", path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "/a/b;c=d?e=f&g=%20,h", "/[x]|y?z=(1)"})
    void anEncodedPathIsAccepted(String path) {
        assertThat(Operation.get(path).path()).isEqualTo(path);
    }

    @Test
    void aPathMayBeLong() {
        String path = "/" + "a%20/".repeat(20_000);
        assertThat(Operation.get(path).path()).isEqualTo(path);
    }

    @Test
    void nonAsciiCharactersOfAPathAreEncoded() {
        Operation operation = Operation.get("/ü?q=日%20");

        assertThat(operation.path()).isEqualTo("/%C3%BC?q=%E6%97%A5%20");
        assertThat(operation.name()).isEqualTo("GET /ü?q=日%20");
    }

    @Test
    void aBlankNameIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operation.get("/").named(" "))
                .withMessage("operation name: expected some text");
    }

    @Test
    void operationsOfAScenarioHaveDifferentNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scenario(List.of()))
                .withMessage("operations: expected at least one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scenario(List.of(Operation.get("/"), Operation.of("get", "/"))))
                .withMessage("operation 'GET /': expected unique names");
    }

    @Test
    void theDefaultScenarioIsAGetAndAPost() {
        assertThat(Scenario.getThenPost().operations())
                .containsExactly(Operation.get("/"), Operation.post("/", Scenario.DEFAULT_BODY));
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 600, -1})
    void anExpectedStatusOutOfRangeIsRejected(int status) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Check.StatusIs(status))
                .withMessage("status %s: expected 100 to 599", status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "20", "2000", "2XX", "6xx", "200,", "200;201", "099", "600"})
    void aTextThatIsNotAStatusIsRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Check.StatusIs.parse(text));
    }

    @Test
    void anythingButAStatusOrAClassIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Check.StatusIs(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Check.StatusCheck(200, 201))
                .withMessage("statuses 200 to 201: expected one, or a class");
    }

    @Test
    void anExpectedTextIsNotBlank() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Check.BodyCheck("", false))
                .withMessage("body check: expected some text");
    }

    @Test
    void checksDescribeThemselves() {
        assertThat(new Check.StatusIs(201)).hasToString("status=201");
        assertThat(Check.StatusIs.parse("2xx,304")).hasToString("status=2xx,304");
        assertThat(new Check.BodyCheck("alive", false)).hasToString("body~'alive'");
    }
}
