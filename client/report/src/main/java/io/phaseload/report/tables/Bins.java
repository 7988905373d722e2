package io.phaseload.report.tables;

import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.tables.Timeline.Bin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Neighbouring bins of a phase, together.
 *
 * @param all in the order of time
 */
record Bins(List<Bin> all) {

    static final Column PHASE = Column.text("phase");
    static final Column OPERATION = Column.text("operation");
    static final Column START = Column.of("start_s", "start", "s");
    static final Column AT = Column.of("at_s", "time", "s");
    static final Column END = Column.of("end_s", "end", "s");

    /**
     * Requests of one operation, or of all together. It can be large: tables read one after another.
     *
     * @param phase the phase's name, or a text for several phases
     */
    record Tallied(String phase, String operation, Bins when, Tally sum) {}

    static Map<String, Bins> byPhase(List<Bin> bins) {
        return bins.stream()
                .collect(Collectors.groupingBy(
                        Bin::phase, LinkedHashMap::new, Collectors.collectingAndThen(Collectors.toList(), Bins::new)));
    }

    /** As many neighbours of a phase as leave no more than about so many groups. */
    static List<Bins> together(List<Bin> bins, int most) {
        return together(bins, Bin::phase, most).stream().map(Bins::new).toList();
    }

    static <T> List<List<T>> together(List<T> all, Function<T, String> phase, int most) {
        int size = Math.max(1, (all.size() + most - 1) / most);
        List<List<T>> groups = new ArrayList<>();
        all.stream()
                .collect(Collectors.groupingBy(phase, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(own -> {
                    for (int i = 0; i < own.size(); i += size) {
                        groups.add(own.subList(i, Math.min(i + size, own.size())));
                    }
                });
        return groups;
    }

    /** A table over time, with rates and response times. */
    static Table rates(String name, Stream<Tallied> rows) {
        Table.Builder table =
                new Table.Builder(name, Rates.columns(PHASE, OPERATION, AT, START, END, Column.count("requests")));
        rows.forEach(of -> table.row(Rates.row(
                of.sum(),
                of.when().seconds(),
                of.phase(),
                of.operation(),
                of.when().at(),
                of.when().start(),
                of.when().end(),
                of.sum().requests())));
        return table.build();
    }

    String phase() {
        return all.get(0).phase();
    }

    double start() {
        return all.get(0).startSeconds();
    }

    double end() {
        return all.get(all.size() - 1).endSeconds();
    }

    /** In the middle. */
    double at() {
        return (start() + end()) / 2;
    }

    double seconds() {
        return end() - start();
    }

    /** All operations of a bin. */
    static Tallied tallied(Bin bin) {
        Bins alone = new Bins(List.of(bin));
        return new Tallied(bin.phase(), Operations.ALL, alone, bin.all());
    }

    Tallied tallied(List<String> names, int operation) {
        return new Tallied(phase(), names.get(operation), this, sum(operation));
    }

    /** All operations together. */
    Tally sum() {
        return sum(Bin::all);
    }

    Tally sum(int operation) {
        return sum(bin -> bin.operations().get(operation));
    }

    private Tally sum(Function<Bin, Tally> of) {
        return all.size() == 1
                ? of.apply(all.get(0))
                : Tallies.sum(all.stream().map(of).toList());
    }
}
