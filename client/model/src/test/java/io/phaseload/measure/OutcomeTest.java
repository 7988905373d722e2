package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Outcome.Reset;
import io.phaseload.measure.Outcome.Reset.Stage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The names under which reports count outcomes. */
class OutcomeTest {

    private static final String RESET = "the server reset or closed the connection";

    static Stream<Arguments> outcomes() {
        return Stream.of(
                Arguments.of(Outcome.SUCCESS, "success", "", false),
                Arguments.of(new Outcome.HttpFailure(503, "busy"), "http 503", "busy", false),
                Arguments.of(
                        new Outcome.CheckFailure(Cause.of("check status=404"), "status 200"),
                        "check status=404",
                        "status 200",
                        false),
                Arguments.of(
                        Outcome.NoResponse.CONNECT_TIMEOUT,
                        "connect timeout",
                        "no connection within the connect timeout",
                        true),
                Arguments.of(
                        Outcome.NoResponse.CONNECT_REFUSED,
                        "connect refused",
                        "nothing is listening on the port",
                        false),
                Arguments.of(
                        Outcome.NoResponse.READ_TIMEOUT,
                        "read timeout",
                        "no complete response within the response timeout",
                        true),
                Arguments.of(new Reset(Stage.BEFORE_RESPONSE), "reset before response", RESET, false),
                Arguments.of(new Reset(Stage.IN_HEADER), "reset in header", RESET, false),
                Arguments.of(new Reset(Stage.IN_BODY), "reset in body", RESET, false),
                Arguments.of(
                        Outcome.NoResponse.UNKNOWN_IF_READ,
                        "connection ended, unknown if read",
                        Outcome.NoResponse.UNKNOWN_IF_READ.detail(),
                        false),
                Arguments.of(Outcome.NoResponse.NO_CLOSE_NOTIFY, "body ended without close_notify", "", false),
                Arguments.of(new Outcome.TlsFailure("why"), "tls failure", "why", false),
                Arguments.of(new Outcome.MalformedResponse("why"), "malformed response", "why", false),
                Arguments.of(
                        new Outcome.ClientFault("unknown host", "a.invalid"),
                        "client: unknown host",
                        "a.invalid",
                        false));
    }

    /** A run stops early if nobody is there; a server that answers, or breaks off, is there. */
    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(Outcome.SUCCESS, true, false),
                Arguments.of(new Outcome.HttpFailure(503), true, false),
                Arguments.of(new Outcome.CheckFailure("check status=404"), true, false),
                Arguments.of(Outcome.NoResponse.CONNECT_REFUSED, false, true),
                Arguments.of(Outcome.NoResponse.CONNECT_TIMEOUT, false, true),
                Arguments.of(new Outcome.TlsFailure("why"), false, true),
                Arguments.of(new Outcome.ClientFault("unknown host", "a.invalid"), false, true),
                Arguments.of(new Outcome.ClientFault("no route to host", ""), false, true),
                Arguments.of(new Outcome.ClientFault("too many open files", ""), false, false),
                Arguments.of(Outcome.ClientFault.stopped(), false, false),
                Arguments.of(Outcome.NoResponse.READ_TIMEOUT, false, false),
                Arguments.of(new Reset(Stage.BEFORE_RESPONSE), false, false),
                Arguments.of(new ProtocolFailure("no http/2", "why"), false, false));
    }

    @Test
    void aResponseBreaksOffBeforeItsFirstByteInItsHeaderOrInItsBody() {
        assertThat(Stage.of(false, false)).isEqualTo(Stage.BEFORE_RESPONSE);
        // The header that was read is an earlier response's.
        assertThat(Stage.of(false, true)).isEqualTo(Stage.BEFORE_RESPONSE);
        assertThat(Stage.of(true, false)).isEqualTo(Stage.IN_HEADER);
        assertThat(Stage.of(true, true)).isEqualTo(Stage.IN_BODY);
    }

    @Test
    void namesTheStepOrTheValueOfAJourneyThatFailed() {
        assertThat(new Outcome.ExtractFailure("token", "log in", "{}").cause())
                .isEqualTo(Cause.of("no token in log in"));
        assertThat(new Outcome.StepFailure("log in", "http 503").cause()).isEqualTo(Cause.of("log in: http 503"));
        assertThat(new Outcome.NotFollowed("too many redirects", "/a").cause()).isEqualTo(Cause.TOO_MANY_REDIRECTS);
    }

    @Test
    void namesARareFaultOfTheClient() {
        Outcome fault = new Outcome.ClientFault("internal", "why");

        assertThat(fault.cause().key()).isEqualTo("client: internal");
        assertThat(fault.cause().isClientLimit()).isTrue();
    }

    @Test
    void aStopIsTheClientsDoingWithoutBeingItsLimit() {
        Outcome stopped = Outcome.ClientFault.stopped();

        assertThat(stopped.cause()).isEqualTo(Cause.STOPPED);
        assertThat(stopped.cause().isClientLimit()).isFalse();
    }

    @Test
    void aConnectionThatEndsAtOnceLeavesItUnknownIfTheServerReadTheRequest() {
        assertThat(Outcome.NoResponse.UNKNOWN_IF_READ.detail()).contains("unknown whether the server read the request");
    }

    @Test
    void theTimeToWaitComesBeforeTheBeginningOfTheBody() {
        assertThat(new Outcome.HttpFailure(503).retryAfter(30))
                .isEqualTo(new Outcome.HttpFailure(503, "Retry-After: 30"));
        assertThat(new Outcome.HttpFailure(429, "slow down").retryAfter(0))
                .isEqualTo(new Outcome.HttpFailure(429, "Retry-After: 0; slow down"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void knowsWhetherTheTargetWasReached(Outcome outcome, boolean responded, boolean unreachable) {
        assertThat(outcome.responded()).isEqualTo(responded);
        assertThat(outcome.unreachable()).isEqualTo(unreachable);
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void names(Outcome outcome, String cause, String detail, boolean censored) {
        assertThat(outcome.cause().key()).isEqualTo(cause);
        assertThat(Cause.of(cause)).isEqualTo(outcome.cause()).hasSameHashCodeAs(outcome.cause());
        assertThat(outcome.detail()).isEqualTo(detail);
        assertThat(outcome.censored()).isEqualTo(censored);
    }
}
