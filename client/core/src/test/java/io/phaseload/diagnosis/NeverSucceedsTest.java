package io.phaseload.diagnosis;

import static io.phaseload.diagnosis.Found.REFUSED;
import static io.phaseload.diagnosis.Found.http;
import static io.phaseload.diagnosis.Found.ids;
import static io.phaseload.diagnosis.Found.only;
import static io.phaseload.diagnosis.MadeUpPhase.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.measure.ProtocolFailure;
import io.phaseload.plan.Load;
import io.phaseload.verdict.rules.Wording;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is concluded from operations of which no request succeeds. */
class NeverSucceedsTest {

    @ParameterizedTest
    @MethodSource
    void theWayToFailIsNamed(Outcome outcome, String id, String said) {
        Diagnosis found = only(closed().seconds(3, r -> r.failed(20, 1, outcome)));

        assertThat(found.id()).isEqualTo(id);
        assertThat(found.text())
                .startsWith("none of the 60 requests of 'GET /' succeeded; 60 ")
                .contains(said);
        assertThat(found.evidence()).containsEntry("failed", 60L).containsEntry("requests", 60L);
        assertThat(found.phase()).isEmpty();
    }

    static Stream<Arguments> theWayToFailIsNamed() {
        return Stream.of(
                arguments(REFUSED, "nothing-listens", "nothing listens"),
                arguments(Outcome.NoResponse.CONNECT_TIMEOUT, "no-connection", "nothing answers"),
                arguments(client("no route to host", "-"), "no-connection", "nothing answers"),
                arguments(client("unknown host", "shop: unknown"), "unknown-host", ": shop: unkn"),
                arguments(new Outcome.TlsFailure("bad cert"), "no-tls", "handshake: bad cert."),
                arguments(new Outcome.MalformedResponse("SSH-2.0"), "not-http", "for: SSH-2.0."),
                arguments(new ProtocolFailure("no http/2", "HTTP/1.1"), "not-http", "for: HTTP/1.1."),
                arguments(new Outcome.Reset(Stage.BEFORE_RESPONSE), "always-closed", "closed"),
                arguments(Found.TIMED_OUT, "never-answered", "within the timeout"),
                arguments(
                        new ProtocolFailure(Cause.of("lost: not received in time"), "", true),
                        "never-delivered",
                        "no receiver got one (lost: not received in time): the server doesn't relay"),
                arguments(
                        new ProtocolFailure("lost: sender closed 1005", ""),
                        "never-delivered",
                        "no receiver got one (lost: sender closed 1005): the server doesn't relay"),
                arguments(
                        new ProtocolFailure("lost: not connected, refused: not authorized", ""),
                        "never-accepted",
                        "of their pair (lost: not connected, refused: not authorized)"),
                arguments(
                        new ProtocolFailure("lost: not subscribed: refused", ""),
                        "never-accepted",
                        "of their pair (lost: not subscribed: refused)"),
                arguments(http(401), "credentials", "status 401:"),
                arguments(http(404), "wrong-request", "status 404:"),
                arguments(http(500), "always-fails", "status 500,"),
                arguments(
                        new Outcome.CheckFailure(Cause.of("check body~'alive'"), "a body"),
                        "check-never-holds",
                        "failed check body~'alive'."));
    }

    private static Outcome client(String reason, String message) {
        return new Outcome.ClientFault(reason, message);
    }

    /** A server may accept connections of its own pages alone, or send another address, or a page. */
    @Test
    void aHandshakeThatIsForbiddenIsNotAccepted() {
        for (int status : List.of(403, 301, 200)) {
            assertThat(ids(closed().seconds(3, r -> r.failed(20, 1, http(status)))
                            .ofMessages()))
                    .containsExactly("never-accepted");
        }
        assertThat(ids(closed().seconds(3, r -> r.failed(20, 1, http(403))))).containsExactly("credentials");
        assertThat(ids(closed().seconds(3, r -> r.failed(20, 1, http(401))).ofMessages()))
                .containsExactly("credentials");
    }

    /** A limit of the rate or of the client is no wrong request. */
    @Test
    void otherCausesAreLeftToOtherRules() {
        for (int status : List.of(429, 420, 509)) {
            assertThat(ids(closed().seconds(3, r -> r.failed(20, 1, http(status)))))
                    .containsExactly("rate-limit");
        }
        assertThat(ids(closed().seconds(3, r -> r.failed(20, 1, client("too many open files", "-")))))
                .isEmpty();
    }

    @Test
    void aSuccessInAnyPhaseIsEnoughForNone() {
        assertThat(ids(
                        new MadeUpPhase("warmup", 1, Load.Closed.AT_ONCE).second(r -> r.answered(1, 5)),
                        closed().seconds(3, r -> r.failed(20, 1, http(404)))))
                .doesNotContain("wrong-request");
    }

    @Test
    void requestsThatConflictWithTheFirstOnesAreWrong() {
        Diagnosis found = only(closed().second(r -> r.answered(2, 5).failed(18, 1, http(409)))
                .seconds(2, r -> r.failed(20, 1, http(409))));

        assertThat(found.id()).isEqualTo("wrong-request");
        assertThat(found.confidence()).isEqualTo(Diagnosis.Confidence.LIKELY);
        assertThat(found.text()).startsWith("none of the 58 requests of 'GET /' after the first 2 succeeded; 58 were");
        assertThat(ids(closed().second(r -> r.answered(4, 5).failed(16, 1, http(409)))
                        .seconds(2, r -> r.failed(20, 1, http(409)))))
                .as("too many")
                .doesNotContain("wrong-request");
        assertThat(ids(closed().second(r -> r.answered(1, 5).failed(19, 1, http(404)))
                        .seconds(2, r -> r.failed(20, 1, http(404)))))
                .as("no conflict")
                .doesNotContain("wrong-request");
    }

    /** The status that a check doesn't allow says more than the check. */
    @Test
    void aCheckOfTheStatusFailsAsThatStatus() {
        Outcome checked = new Outcome.CheckFailure(Cause.of("check status=200"), "a status");
        SimulatedPhase phase = new SimulatedPhase(1)
                .asking("GET /cart", "POST /orders")
                .of(asked -> new SimulatedPhase.Answer(
                        asked.count() % 2 == 0 ? Outcome.SUCCESS : checked,
                        asked.count() % 2 == 0 ? 200 : 401,
                        8,
                        false));

        Diagnosis found = phase.diagnoses().get(0);
        assertThat(found.id()).isEqualTo("credentials");
        assertThat(found.text()).contains("'POST /orders' succeeded", "status 401:");
    }

    @Test
    void causesThatDifferHaveNoName() {
        assertThat(ids(closed().seconds(3, r -> r.failed(20, 1, http(404)).failed(10, 1, REFUSED))))
                .doesNotContain("wrong-request", "nothing-listens");
    }

    @Test
    void operationsThatFailAloneAreNamed() {
        PhaseSeries good = closed().seconds(3, r -> r.answered(20, 5)).series();
        PhaseSeries bad = closed().seconds(3, r -> r.failed(20, 1, http(404))).series();
        PhaseSeries worse = closed().seconds(3, r -> r.failed(10, 1, http(400)).failed(10, 1, http(404)))
                .series();
        PhaseSeries both = new PhaseSeries(
                Wording.REQUESTS,
                "peak",
                10,
                good.wall(),
                good.load(),
                good.responseTimeout(),
                List.of("GET /", "POST /cart", "GET /cart"),
                List.of(good.all(), bad.all(), worse.all()),
                good.all(),
                good.seconds(),
                List.of());

        Diagnosis found =
                Diagnoses.of(new RunSeries(List.of(both), false, false)).get(0);

        assertThat(found.text())
                .startsWith("none of the 120 requests of 'POST /cart', 'GET /cart' succeeded; 120 were"
                        + " answered with status 404 or 400:");
        assertThat(found.impact()).isEqualTo(2 / 3.0);
    }
}
