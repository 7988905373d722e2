package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.check.Metric;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that are taken from the body of an answer. */
class MetricTest {

    private static final Metric ELAPSED = new Metric("elapsed", "/result/timeElapsed", "ms");
    private static final Metric SIZE = new Metric("size", "/bufferSize", "");

    @Test
    void allMetricsAreMeasured() throws Exception {
        assertThat(outcome("{\"bufferSize\": 1e3, \"result\": {\"timeElapsed\": 12.5}}"))
                .isEqualTo(new Outcome.Success(Map.of(ELAPSED, 12.5, SIZE, 1000.0)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"bufferSize\": 1}",
                "{\"bufferSize\": 1, \"result\": {\"timeElapsed\": \"12\"}}",
                "{\"bufferSize\": 1, \"result\": {\"timeElapsed\": null}}",
                "{\"bufferSize\": 1, \"result\": {\"timeElapsed\": 12",
                "not JSON",
                ""
            })
    void aResponseWithoutTheNumberFails(String body) throws Exception {
        assertThat(outcome(body))
                .isEqualTo(new Outcome.CheckFailure(Cause.of("check metric elapsed=/result/timeElapsed:ms"), body));
    }

    private static Outcome outcome(String body) throws Exception {
        try (MisbehavingServer server = serving(body);
                OneUser user = OneUser.of(server.uri())) {
            return user.send(Operation.get("/").withMetrics(ELAPSED, SIZE)).outcome();
        }
    }

    /** What isn't measured is kept only where the request says so. */
    @Test
    void aBodyIsKeptOnlyForMetrics() throws Exception {
        try (MisbehavingServer server = serving("größe");
                Deadlines deadlines = new Deadlines(OneUser.LONG.toNanos());
                UserConnection user = new UserConnection(new Connector(Target.of(server.uri())), deadlines)) {
            Target target = Target.of(server.uri());
            user.exchangeKeepingBody(new PreparedRequest(target, Operation.get("/")));
            assertThat(user.lastBody()).isEqualTo("größe");
            user.exchange(new PreparedRequest(target, Operation.get("/")));
            assertThat(user.lastBody()).isEmpty();
        }
    }

    private static MisbehavingServer serving(String body) throws Exception {
        return MisbehavingServer.start(peer -> {
            while (true) {
                peer.readRequest();
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: " + bytes.length + "\r\n\r\n");
                peer.write(bytes);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "elapsed=/timeElapsed:ms, elapsed, /timeElapsed, ms",
        "size=/a/0/b, size, /a/0/b, ''",
        "whole=, whole, '', ''",
        "ratio=/a:b/c:%, ratio, /a:b/c, %"
    })
    void roundTrips(String text, String name, String pointer, String unit) {
        Metric metric = Metric.parse(text);
        assertThat(metric).isEqualTo(new Metric(name, pointer, unit));
        assertThat(metric).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "elapsed, name=/pointer:unit",
        "=/a, 'letters, digits and _'",
        "1a=/a, 'letters, digits and _'",
        "a=b, a JSON Pointer such as /timeElapsed",
        "a=/~2, a JSON Pointer such as /timeElapsed",
        "a=/b:microseconds, 'letters or %, such as ms'"
    })
    void rejectsInvalidText(String text, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Metric.parse(text))
                .withMessageEndingWith("expected " + expected);
    }
}
