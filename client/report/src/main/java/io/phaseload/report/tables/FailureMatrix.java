package io.phaseload.report.tables;

import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Result;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Failures of each operation by cause, in all phases together. */
public final class FailureMatrix {

    /** A column each; rarer causes are in the table of causes. */
    private static final int MOST_CAUSES = 8;

    private FailureMatrix() {}

    /**
     * The operations that failed.
     *
     * @param result of a run
     * @return the table {@code failure-matrix}: the most frequent first, from top and from left
     */
    public static Table of(Result result) {
        Map<String, Map<String, Long>> operations = new LinkedHashMap<>();
        result.phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .forEach(operation -> operation.figures().failures().forEach((cause, count) -> operations
                        .computeIfAbsent(SentNames.of(result.plan(), operation.name()), name -> new TreeMap<>())
                        .merge(cause, count, Long::sum)));
        Columns<Map.Entry<String, Map<String, Long>>> columns = new Columns<Map.Entry<String, Map<String, Long>>>()
                .text("operation", Map.Entry::getKey)
                .count("failed", of -> sum(of.getValue()));
        ResultTables.causesByCount(result).stream()
                .limit(MOST_CAUSES)
                .forEach(cause -> columns.count(cause, of -> of.getValue().getOrDefault(cause, 0L)));
        return columns.table(
                "failure-matrix",
                operations.entrySet().stream().sorted(Comparator.comparing(of -> -sum(of.getValue()))));
    }

    private static long sum(Map<String, Long> causes) {
        return causes.values().stream().mapToLong(Long::longValue).sum();
    }
}
