package io.phaseload.report.tables;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.measure.HostFigures;
import io.phaseload.result.Result;
import io.phaseload.verdict.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of machines that show what the verdict and the diagnosis say: their charts come first. */
final class NamedFigures {

    private static final List<String> CPU = List.of("cpuPercent", "machineCpuPercent");
    private static final List<String> STALLS = List.of("longestHiccupMs", "runQueueMsPerSecond");
    private static final List<String> QUEUE = List.of("tcpListenOverflowsPerSecond", "tcpListenDropsPerSecond");
    private static final List<String> LOST = List.of("tcpRetransmitsPerSecond", "tcpTimeoutsPerSecond");

    private static final Map<String, List<String>> BY_FINDING = Map.ofEntries(
            Map.entry("cpu", CPU),
            Map.entry("crowded", CPU),
            Map.entry("stolen", List.of("stolenPercent")),
            Map.entry("throttled", List.of("throttledMsPerSecond")),
            Map.entry("gc", List.of("gcMsPerSecond")),
            Map.entry("run-queue", STALLS),
            Map.entry("stalls", STALLS),
            Map.entry("tail", STALLS),
            Map.entry("client-share", STALLS),
            Map.entry("pool", List.of("poolPending", "poolLeased")),
            Map.entry("server-cpu", CPU),
            Map.entry("server-threads", List.of("busyThreads", "busyThreadsPercent")),
            Map.entry("proxy-queue", List.of("inFlight")),
            Map.entry("heap-growth", List.of("heapMiB")),
            Map.entry("accept-queue", QUEUE),
            Map.entry("packet-loss", LOST),
            Map.entry("bandwidth", List.of("linkPercent", "receivedMbitPerSecond", "sentMbitPerSecond")));

    private NamedFigures() {}

    /** The same names, those that show a finding of a run first. */
    static List<String> first(List<String> names, Result result) {
        Set<String> shown = Stream.concat(
                        result.verdict().findings().stream().map(Finding::id),
                        result.diagnoses().stream().map(Diagnosis::id))
                .flatMap(id -> BY_FINDING.getOrDefault(id, List.of()).stream())
                .collect(Collectors.toSet());
        return names.stream()
                .sorted(Comparator.comparing(name -> !shown.contains(HostFigures.figure(name))))
                .toList();
    }
}
