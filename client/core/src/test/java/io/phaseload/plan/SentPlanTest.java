package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.check.Threshold;
import io.phaseload.settings.SettingsException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A plan that goes to another client is whole, and can't have that read its own files. */
class SentPlanTest {

    private static final Plan PLAN =
            Plan.builder(URI.create("http://localhost:8080/"))
                    .header(new Header("Authorization", "Bearer abc"))
                    .operations(
                            new Operation(
                                    "GET /a?key=abc",
                                    "GET",
                                    "/a?key=abc",
                                    List.of(new Header("Cookie", "id=abc")),
                                    Optional.empty(),
                                    List.of(),
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

        assertThat(PlanDocument.of(PLAN).toString()).doesNotContain("abc");
    }

    @Test
    void itCannotNameAFile() {
        ObjectNode sent = PlanDocument.shared(PLAN);
        ((ObjectNode) sent.get("operations").get(1)).put("bodyFile", "/etc/passwd");

        assertThatThrownBy(() -> PlanDocument.ofShared(sent))
                .isInstanceOf(SettingsException.class)
                .hasMessage("a plan that was sent can't have a bodyFile");
    }
}
