package io.phaseload.journey;

import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.Target;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.Feeder;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Sessions of journeys that are made for a test. */
final class Sessions {

    static final Target TARGET = Target.of(URI.create("http://localhost/"));

    private Sessions() {}

    /** With the variables {@code a} and {@code key}, and a value {@code id} that is extracted. */
    static Journeys journeys(List<Feeder> feeders, String path) {
        Journey journey = Journey.named("j")
                .step(Step.get("/").extract(Extraction.of("id", "json:/id")))
                .step(Step.get(path));
        return new Journeys(List.of(journey), Map.of("a", "x y\r\n\"é", "key", "${env:KEY}"), feeders);
    }

    static Plan plan(List<Feeder> feeders, String path) {
        return Plan.builder(TARGET.uri())
                .scenario(Scenario.of(journeys(feeders, path)))
                .build();
    }

    static Session session(int user) {
        return new Session(data(), user, new SplittableRandom(1));
    }

    static JourneyData data() {
        return JourneyData.open(plan(List.of(), "/"), Map.of("KEY", "k&y"));
    }

    static Slots slots() {
        return Slots.of(journeys(List.of(), "/"), TARGET);
    }
}
