package io.phaseload.live;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import tools.jackson.databind.node.ArrayNode;

/** The cells of a heat map: eight a decade of response time, as those of the report's table {@code heat}. */
final class Heat {

    private static final double CELLS = 8;
    private static final double NANOS_PER_MILLI = 1e6;

    private Heat() {}

    /** Writes {@code [cell, count]} in turn; a cell holds the times from 10^(cell/8) ms up to the next one's. */
    static void write(ArrayNode json, Histogram nanos) {
        int cell = Integer.MIN_VALUE;
        long count = 0;
        for (HistogramIterationValue value : nanos.recordedValues()) {
            int next = (int) Math.floor(CELLS * Math.log10(Math.max(1, value.getValueIteratedTo()) / NANOS_PER_MILLI));
            if (next != cell && count > 0) {
                json.add(cell).add(count);
                count = 0;
            }
            cell = next;
            count += value.getCountAtValueIteratedTo();
        }
        if (count > 0) {
            json.add(cell).add(count);
        }
    }
}
