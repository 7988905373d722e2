package io.phaseload.events.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SharedFailureTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(SharedFailure.ended("stream reset", "CANCEL"), "stream reset CANCEL", "", false),
                Arguments.of(SharedFailure.noHttp2("why"), "no http/2", "why", false),
                Arguments.of(
                        SharedFailure.noPipelining(false),
                        "no pipelining",
                        "the server closed connections that carried more than one request",
                        false),
                Arguments.of(
                        SharedFailure.noPipelining(true),
                        "no pipelining",
                        "the server left requests behind the first one unanswered",
                        true));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void haveACauseAndADetail(Outcome outcome, String cause, String detail, boolean censored) {
        assertThat(outcome.cause()).isEqualTo(Cause.of(cause));
        assertThat(outcome.detail()).isEqualTo(detail);
        assertThat(outcome.censored()).isEqualTo(censored);
        assertThat(outcome.responded()).isFalse();
        assertThat(outcome.unreachable()).isFalse();
    }
}
