package io.phaseload.live;

import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.timing.Timing;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The sums of each operation in the phase that runs. */
final class OperationSums {

    private final List<String> names;
    private final long[] failed;
    private final Histogram[] times;
    private String phase = "";

    OperationSums(List<String> names) {
        this.names = names;
        this.failed = new long[names.size()];
        this.times = new Histogram[names.size()];
        Arrays.setAll(times, i -> new Histogram(3));
    }

    void add(Interval interval) {
        if (!interval.phase().equals(phase)) {
            phase = interval.phase();
            Arrays.fill(failed, 0);
            Arrays.stream(times).forEach(Histogram::reset);
        }
        for (int i = 0; i < times.length; i++) {
            Tally tally = interval.operations().get(i);
            failed[i] += tally.failed();
            tally.addTo(Timing.RESPONSE, times[i]);
        }
    }

    String json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("phase", phase);
        ArrayNode all = json.putArray("operations");
        for (int i = 0; i < times.length; i++) {
            ObjectNode operation = all.addObject()
                    .put("name", names.get(i))
                    .put("requests", times[i].getTotalCount())
                    .put("failed", failed[i]);
            SecondJson.times(operation.putObject("response"), times[i]);
        }
        return json.toString();
    }
}
