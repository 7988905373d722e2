package io.phaseload.report.tables;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
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
        List<String> causes = result.totals().failures().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_CAUSES)
                .map(Map.Entry::getKey)
                .toList();
        Map<String, Map<String, Long>> operations = new LinkedHashMap<>();
        result.phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .forEach(operation -> operation.figures().failures().forEach((cause, count) -> operations
                        .computeIfAbsent(SentNames.of(result.plan(), operation.name()), name -> new TreeMap<>())
                        .merge(cause, count, Long::sum)));
        List<Column> columns = new ArrayList<>(List.of(Column.text("operation"), Column.count("failed")));
        causes.forEach(cause -> columns.add(Column.count(cause)));
        Table.Builder table = new Table.Builder("failure-matrix", columns);
        operations.entrySet().stream()
                .sorted(Comparator.comparing(of -> -sum(of.getValue())))
                .forEach(of -> {
                    List<Object> row = new ArrayList<>(List.of(of.getKey(), sum(of.getValue())));
                    causes.forEach(cause -> row.add(of.getValue().getOrDefault(cause, 0L)));
                    table.row(row);
                });
        return table.build();
    }

    private static long sum(Map<String, Long> causes) {
        return causes.values().stream().mapToLong(Long::longValue).sum();
    }
}
