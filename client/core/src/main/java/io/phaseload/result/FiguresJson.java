package io.phaseload.result;

import io.phaseload.timing.InstanceState;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.Section;
import io.phaseload.timing.Timing;
import io.phaseload.timing.Timing.Use;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Figures by their keys in {@code result.json}. */
final class FiguresJson {

    private final Figures figures;
    private final Map<String, Object> json = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> parts = new HashMap<>(Map.of("", json));

    private FiguresJson(Figures figures) {
        this.figures = figures;
    }

    static Map<String, Object> of(Figures figures) {
        FiguresJson of = new FiguresJson(figures);
        of.rates();
        of.requestTimes();
        of.counts();
        of.protocolTimes();
        of.rest();
        return of.json;
    }

    private void rates() {
        json.put("wallSeconds", figures.wall().toNanos() / 1e9);
        json.put("phaseSeconds", figures.inPhases().toNanos() / 1e9);
        json.put("requests", figures.requests());
        json.put("responses", figures.responses());
        json.put("succeeded", figures.succeeded());
        json.put("failed", figures.failed());
        json.put("failedPercent", figures.failedPercent());
        json.put("requestsPerSecond", figures.requestsPerSecond());
        json.put("succeededPerSecond", figures.succeededPerSecond());
        json.put("failedPerSecond", figures.failedPerSecond());
        json.put("bytesReceived", figures.bytesReceived());
        json.put("bytesReceivedPerSecond", figures.bytesReceivedPerSecond());
    }

    private void requestTimes() {
        for (Timing timing : Timing.all()) {
            if (!timing.section().equals(Section.REQUESTS) || timing.json().isEmpty()) {
                continue;
            }
            if (!timing.is(Use.OPTIONAL) || figures.times().containsKey(timing)) {
                json.put(timing.json(), figures.time(timing));
            }
            if (timing == Timing.RESPONSE) {
                json.put("responseOfSuccesses", figures.responseOfSuccesses());
            }
        }
    }

    private void counts() {
        json.put("reconnects", figures.reconnects());
        json.put("resent", figures.resent());
        json.put("statuses", figures.statuses());
        json.put("censored", figures.censored());
        json.put("failures", figures.failures());
        json.put("failureDetails", figures.failureDetails());
    }

    private void protocolTimes() {
        Map<InstanceState, Long> states = figures.counters().instances();
        json.put(InstanceTimings.SECTION.path(), null);
        if (!states.isEmpty()) {
            Map<String, Object> instances = part(InstanceTimings.SECTION.path());
            for (InstanceState state : List.of(InstanceState.COLD, InstanceState.RESTORED, InstanceState.WARM)) {
                instances.put(state.name().toLowerCase(Locale.ROOT), states.getOrDefault(state, 0L));
            }
        }
        Timing.all().stream()
                .filter(timing -> !timing.section().equals(Section.REQUESTS))
                .collect(Collectors.groupingBy(Timing::section, LinkedHashMap::new, Collectors.toList()))
                .forEach((section, timings) -> {
                    if (figures.has(section)
                            || parts.containsKey(section.path())
                                    && !section.path().isEmpty()) {
                        section(section, timings);
                    }
                });
    }

    private void section(Section section, List<Timing> timings) {
        Map<String, Object> part = part(section.path());
        if (timings.stream().anyMatch(timing -> timing.is(Use.TOTAL))) {
            long total = figures.total(section);
            part.put(section.noun() + "s", total);
            part.put(section.noun() + "sPerSecond", figures.perSecond(total));
        }
        for (Timing timing : timings) {
            Latency time = figures.time(timing);
            if (!timing.is(Use.OPTIONAL) || time.samples() > 0) {
                part.put(timing.json(), timing.is(Use.COUNT) ? (Object) time.samples() : time);
            }
        }
    }

    private Map<String, Object> part(String path) {
        Map<String, Object> part = parts.get(path);
        if (part == null) {
            int dot = path.lastIndexOf('.');
            part = new LinkedHashMap<>();
            part(path.substring(0, Math.max(0, dot))).put(path.substring(dot + 1), part);
            parts.put(path, part);
        }
        return part;
    }

    private void rest() {
        if (!figures.metrics().isEmpty()) {
            json.put("metrics", figures.metrics());
        }
        figures.clientShare().ifPresent(share -> json.put("clientShare", share));
        if (!figures.warnings().isEmpty()) {
            json.put("warnings", figures.warnings());
        }
    }
}
