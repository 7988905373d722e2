package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.map;

import io.phaseload.measure.Counters;
import io.phaseload.measure.Tally;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.MessageTimings;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The figures in {@code result.json}, whose keys and their order scripts and older versions read. */
class FiguresTest {

    @Test
    void withoutAProtocolAreThoseOfRequests() {
        Map<String, Object> json =
                Figures.of(new Tally(), Duration.ofSeconds(10)).json();

        assertThat(json)
                .containsOnlyKeys(WrittenResultTest.FIGURES)
                .containsEntry("instances", null)
                .containsEntry("slip", Latency.NONE);
    }

    @Test
    void ofAProtocolAreAPartWithAllItsTimes() {
        Counters counters = new Counters(0, 0, 0, 0, 0, Map.of(), Map.of(InstanceState.WARM, 2L));
        Tally tally = Tally.of(Map.of(), Map.of(), counters, Map.of());
        tally.add(Timing.LEASE, 1);
        tally.add(InstanceTimings.COLD_START, 1);
        tally.add(MessageTimings.DELIVERY, 1);
        tally.add(MessageTimings.ROUND_TRIP, 1);
        tally.add(MessageTimings.BELOW_BOUND, 1);
        tally.add(StreamTimings.FIRST_EVENT, 1);
        tally.add(StreamTimings.EVENT_GAP, 1);
        tally.add(StreamTimings.EVENT_GAP, 1);
        tally.add(StreamTimings.EVENT_REPEATED, 1);
        tally.add(Timing.of("queued"), 1);

        Map<String, Object> json = Figures.of(tally, Duration.ofSeconds(10)).json();

        assertThat(String.join(" ", json.keySet()))
                .contains("response responseOfSuccesses service slip lease timeToFirstByte transfer connectionSetUp")
                .containsSubsequence("failureDetails instances", "messages roundTrip streams")
                .contains("queues");
        assertThat(json)
                .extractingByKey("instances", map(String.class, Object.class))
                .extracting(Map::keySet)
                .hasToString("[cold, restored, warm, coldStart]");
        assertThat(json)
                .extractingByKey("messages", map(String.class, Object.class))
                .containsOnlyKeys("handshake", "delivery", "duplicated", "reordered", "late", "ignored", "clocks")
                .containsEntry("late", Latency.NONE)
                .extractingByKey("clocks", map(String.class, Object.class))
                .containsOnlyKeys("bound", "belowBound")
                .containsEntry("belowBound", 1L);
        assertThat(json)
                .extractingByKey("streams", map(String.class, Object.class))
                .containsEntry("events", 3L)
                .containsEntry("eventsPerSecond", 0.3)
                .containsEntry("repeated", 1L)
                .extracting(Map::keySet)
                .hasToString("[events, eventsPerSecond, firstEvent, firstOutput, eventGap, eventDelivery, reconnect,"
                        + " repeated]");
        assertThat(json)
                .extractingByKey("queues", map(String.class, Object.class))
                .containsOnlyKeys("queued");
    }
}
