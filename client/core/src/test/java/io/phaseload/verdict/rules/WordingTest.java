package io.phaseload.verdict.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Rate;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WordingTest {

    private static final Wording MESSAGES = Wording.of(messages());

    private static Plan messages() {
        return plan("ws://localhost/rooms/%7Bpair%7D")
                .engine(EngineSettings.builder("websocket")
                        .protocol(new Protocol.WebSocket(1, 200, List.of(), false, Optional.empty()))
                        .build())
                .build();
    }

    private static PlanBuilder plan(String url) {
        return Plan.builder(URI.create(url))
                .phases(new Phase(
                        "peak",
                        1,
                        new PhaseLength.Lasting(Duration.ofSeconds(1)),
                        new Load.Open(new ConstantArrivals(Rate.perSecond(10)), Load.Overload.QUEUE)));
    }

    @Test
    void messagesOfPairsTakeThePlaceOfRequestsOfUsers() {
        assertThat(MESSAGES.text("failures begin between 10 and 20 [users]: 5 % of the [requests] failed."
                        + " All [users]' [requests] wait. Use a higher [-c]. [Users] were free."))
                .isEqualTo("failures begin between 10 and 20 pairs: 5 % of the messages failed."
                        + " All pairs' messages wait. Use a higher --pairs. Pairs were free.");
        assertThat(MESSAGES.heading("threads")).isEqualTo("pairs");
        assertThat(MESSAGES.heading("failed")).isEqualTo("lost");
        assertThat(MESSAGES.heading("Failed")).isEqualTo("Lost");
        assertThat(MESSAGES.heading("failed per second")).isEqualTo("lost per second");
        assertThat(MESSAGES.heading("rps")).isEqualTo("per s");
        assertThat(MESSAGES.heading("requests")).isEqualTo("messages");
    }

    /** Of a sweep's rows, for which there is no plan. */
    @Test
    void messagesAreKnownByTheirOperation() {
        assertThat(Wording.of(messages().scenario().namesInResult())).isSameAs(MESSAGES);
        assertThat(Wording.of(List.of("message", "GET /"))).isSameAs(Wording.REQUESTS);
        assertThat(Wording.of(List.of())).isSameAs(Wording.REQUESTS);
    }

    @Test
    void otherTextsStay() {
        String text = "[1] of users, requests_per_second";

        assertThat(MESSAGES.text(text)).isEqualTo(text);
        assertThat(MESSAGES.heading(text)).isEqualTo(text);
        assertThat(Wording.of(plan("http://localhost/").build()).text("[users]: use a higher [-c]"))
                .isEqualTo("users: use a higher -c");
    }

    /** Others would stay in brackets. */
    @Test
    void textsOfFindingsHaveOnlyNounsThatAreKnown() {
        assertThat(Stream.concat(
                                Stream.of(Rule.values()).map(Rule::pattern),
                                Diagnoses.claims().stream().flatMap(claim -> Stream.of(claim.text(), claim.advice())))
                        .map(MESSAGES::text))
                .hasSizeGreaterThan(100)
                .noneMatch(text -> text.contains("["));
    }
}
