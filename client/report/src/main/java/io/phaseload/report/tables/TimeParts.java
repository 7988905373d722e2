package io.phaseload.report.tables;

import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Table;
import io.phaseload.stats.RecordedValues;
import io.phaseload.timing.Timing;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The parts of mean response times, one after another. */
final class TimeParts {

    private static final double NANOS_PER_MILLI = 1e6;

    private TimeParts() {}

    /** The table {@code parts}: the operations that took the most time in the measured phases, in the plan's order. */
    static Table of(Bins measured, List<String> operations) {
        Table.Builder table = new Table.Builder("parts")
                .texts("operation", "part")
                .number("from_ms", "from", "ms")
                .number("to_ms", "to", "ms")
                .number("mean_ms", "mean", "ms");
        Map<String, Tally> sums = new LinkedHashMap<>();
        for (int i = 0; i < operations.size(); i++) {
            sums.put(operations.get(i), measured.sum(i));
        }
        Set<String> most = operations.stream()
                .sorted(Comparator.comparing((String name) -> -sum(sums.get(name), Timing.RESPONSE)))
                .limit(Operations.MOST_DRAWN)
                .collect(Collectors.toSet());
        sums.forEach((name, tally) -> {
            if (most.contains(name)) {
                add(table, name, tally);
            }
        });
        return table.build();
    }

    private static void add(Table.Builder table, String operation, Tally tally) {
        double from = 0;
        for (Map.Entry<String, Double> part : parts(tally).entrySet()) {
            double mean = part.getValue() / Math.max(1, tally.requests()) / NANOS_PER_MILLI;
            if (mean > 0) {
                table.row(operation, part.getKey(), from, from + mean, mean);
                from += mean;
            }
        }
    }

    /** The sums of their times; a wait for a response that never came is a part of the wait for its first byte. */
    private static Map<String, Double> parts(Tally tally) {
        double setUp = sum(tally, Timing.SET_UP);
        double transfer = sum(tally, Timing.TRANSFER);
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("client wait", sum(tally, Timing.SLIP) - setUp);
        parts.put("pool wait", sum(tally, Timing.LEASE));
        parts.put("DNS", sum(tally, Timing.DNS));
        parts.put("TCP", sum(tally, Timing.TCP));
        parts.put("TLS", sum(tally, Timing.TLS));
        parts.put("first byte", sum(tally, Timing.SERVICE) - transfer);
        parts.put("transfer", transfer);
        return parts;
    }

    private static double sum(Tally tally, Timing timing) {
        long count = tally.count(timing);
        return count == 0 ? 0 : RecordedValues.of(tally.histogram(timing)).mean() * count;
    }
}
