package io.phaseload.measure;

import io.phaseload.plan.metrics.ServerMetrics;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Figures of the client or of servers at the end of an interval, of about its second.
 *
 * @param values finite numbers by the names that {@code docs/results.md} explains, such as
 *     {@code tcpRetransmitsPerSecond}; a figure has the same name, and means the same, of the client and of a server.
 *     Where several machines are known, each machine's name and a dot come before it. One that isn't known is missing
 */
public record HostFigures(Map<String, Double> values) {

    /** Nothing was known: a target didn't answer, or not in time. */
    public static final HostFigures GAP = new HostFigures(Map.of());

    /** Keeps the values from being changed. */
    public HostFigures {
        values = Map.copyOf(values);
    }

    /**
     * Whether there is nothing in it.
     *
     * @return {@code true} if there is no value
     */
    public boolean isGap() {
        return values.isEmpty();
    }

    /**
     * These figures as those of one of several machines.
     *
     * @param machine the name of a server or an agent; empty for the only one
     * @return a copy with longer names
     */
    public HostFigures of(String machine) {
        return new HostFigures(values.entrySet().stream()
                .collect(
                        Collectors.toMap(figure -> ServerMetrics.name(machine, figure.getKey()), Map.Entry::getValue)));
    }

    /**
     * These figures and those of other machines.
     *
     * @param others with names of their own
     * @return all of them
     */
    public HostFigures and(HostFigures others) {
        Map<String, Double> all = new HashMap<>(values);
        all.putAll(others.values);
        return new HostFigures(all);
    }

    /**
     * The figures of each machine.
     *
     * @return by the machine's name, in the order of names; the name is empty if there is only one
     */
    public SortedMap<String, HostFigures> byMachine() {
        SortedMap<String, Map<String, Double>> all = new TreeMap<>();
        values.forEach((name, value) ->
                all.computeIfAbsent(machine(name), any -> new HashMap<>()).put(figure(name), value));
        SortedMap<String, HostFigures> machines = new TreeMap<>();
        all.forEach((machine, own) -> machines.put(machine, new HostFigures(own)));
        return machines;
    }

    /**
     * The machine in a figure's name.
     *
     * @param name such as {@code agent-1.cpuPercent}
     * @return the text before the last dot; empty without one
     */
    public static String machine(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    /**
     * A figure's name without its machine.
     *
     * @param name such as {@code agent-1.cpuPercent}
     * @return the text after the last dot
     */
    public static String figure(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
