package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.share.Part;
import io.phaseload.settings.SettingsException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A plan that goes to another client is whole, and can't have that read its own files. */
class SentPlanTest {

    private static final Plan PLAN = Plan.builder(URI.create("http://localhost:8080/"))
            .header(new Header("Authorization", "Bearer abc"))
            .operations(
                    new Operation(
                            "GET /a?key=abc",
                            "GET",
                            "/a?key=abc",
                            List.of(new Header("Cookie", "id=abc")),
                            Optional.empty(),
                            List.of()),
                    Operation.of("POST", "/b").withBody(Body.ofText("${HOME} @file")))
            .threshold(Threshold.parse("peak/POST /b: p95 < 1s abort"))
            .build()
            .withPart(Part.parse("2/3"));

    @Test
    void itArrivesWithItsSecrets() {
        String sent = PlanDocument.shared(PLAN).toString();

        assertThat(PlanDocument.ofShared(JsonMapper.shared().readTree(sent))).isEqualTo(PLAN);
    }

    @Test
    void whatIsKeptHasNone() {
        PlanDocument.shared(PLAN);

        assertThat(PlanFile.toResultJson(PLAN)).doesNotContain("abc");
    }

    @Test
    void journeysArriveWithTheirSecrets() {
        Plan plan = journeys(Step.post("/in", Body.ofText("@/etc/passwd {f.a} ~")));

        Plan sent = PlanDocument.ofShared(PlanDocument.shared(plan));

        assertThat(sent).isEqualTo(plan);
        Plan filled = sent.withVariables(Map.of("token", "def", "x", "y"));
        assertThat(PlanFile.toResultJson(filled)).doesNotContain("def");
        assertThat(PlanFile.toResultJson(plan)).doesNotContain("abc");
    }

    @Test
    void codeCannotBeSent() {
        Plan plan = journeys(new Step.Code("own", List.of(), values -> {}));

        assertThatThrownBy(() -> PlanFile.toSharedJson(plan))
                .hasMessage("step own: expected no code in a plan that several clients share");
    }

    @Test
    void filesGoToOtherPlaces() {
        Plan plan = journeys(Step.get("/"));

        assertThat(plan.files()).containsExactlyInAnyOrder(Path.of("ca.pem"), Path.of("data/rows.csv"));
        assertThat(plan.withFiles(file -> Path.of("copies").resolve(file)).files())
                .containsExactlyInAnyOrder(Path.of("copies/ca.pem"), Path.of("copies/data/rows.csv"));
    }

    private static Plan journeys(Step step) {
        Journey buy = Journey.named("buy")
                .session(new SessionRules(true, 3, true, false, Optional.of("ann:abc {x}")))
                .step(new Step.Group("checkout", List.of(Step.get("/a?key=abc").header("Cookie", "id=abc"))))
                .step(step);
        Journeys journeys = new Journeys(
                List.of(buy, Journey.named("look").step(Step.get("/{user}"))),
                Map.of("token", "abc", "x", "${env:HOME}"),
                List.of(Feeder.of("f", Feeder.Format.CSV, Path.of("data/rows.csv"))));
        TlsFiles files = new TlsFiles(Optional.of(Path.of("ca.pem")), Optional.empty(), Optional.empty());
        return Plan.builder(URI.create("https://localhost/"))
                .tlsFiles(files)
                .scenario(Scenario.of(journeys))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bodyFile", "multipart"})
    void itCannotNameAFile(String key) {
        ObjectNode sent = PlanDocument.shared(PLAN);
        ((ObjectNode) sent.get("operations").get(1)).put(key, "/etc/passwd");
        ObjectNode journeys = PlanDocument.shared(journeys(Step.get("/")));
        JsonNode steps = journeys.get("scenarios").get(0).get("steps");
        ((ObjectNode) steps.get(0).get("steps").get(0)).put(key, "/etc/passwd");

        for (ObjectNode plan : List.of(sent, journeys)) {
            assertThatThrownBy(() -> PlanDocument.ofShared(plan))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage("a plan that was sent can't have a " + key);
        }
    }

    @Test
    void itCannotConnectToASocketOfAnotherMachine() {
        ObjectNode sent = PlanDocument.shared(PLAN);
        sent.withObject("target").put("unixSocket", "/run/docker.sock");

        assertThatThrownBy(() -> PlanDocument.ofShared(sent))
                .hasMessage("a plan that was sent can't have a unixSocket");
    }
}
