package io.phaseload.diagnosis.rules;

import io.phaseload.diagnosis.Diagnosis;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Causes and consequences: one fault is one finding, with its consequences below it. */
final class Consequences {

    private static final Set<String> OF_WAITING = Set.of(
            "saturation",
            "serial-work",
            "ramp-knee",
            "drift",
            "two-speeds",
            "timeout-too-short",
            "unanswered",
            "failures-with-load");

    private static final Set<String> OF_STANDING_STILL = Set.of(
            "two-speeds",
            "packet-loss",
            "timeout-too-short",
            "unanswered",
            "drift",
            "ramp-knee",
            "saturation",
            "jitter",
            "connection-limit",
            "new-connections",
            "failures-with-load",
            "slow-period",
            "accept-queue");

    /** By the id of a cause: the ids of its consequences. */
    static final Map<String, Set<String>> BY_CAUSE = Map.ofEntries(
            Map.entry("outage", with(OF_STANDING_STILL, "standstill", "load-shedding", "restarts", "steady-failures")),
            Map.entry("periodic-stalls", with(OF_STANDING_STILL, "outage", "standstill")),
            Map.entry("drift", Set.of("slow-period", "two-speeds", "ramp-knee", "timeout-too-short")),
            Map.entry("slow-period", Set.of("two-speeds", "timeout-too-short")),
            Map.entry("standstill", OF_STANDING_STILL),
            Map.entry(
                    "server-cpu",
                    Set.of(
                            "server-threads",
                            "proxy-queue",
                            "standstill",
                            "saturation",
                            "ramp-knee",
                            "drift",
                            "two-speeds",
                            "timeout-too-short")),
            Map.entry("server-threads", with(OF_WAITING, "proxy-queue")),
            Map.entry("proxy-queue", OF_WAITING),
            Map.entry("slow-instance", Set.of("two-speeds", "server-threads")),
            Map.entry("serial-work", Set.of("saturation", "ramp-knee", "drift", "two-speeds")),
            Map.entry(
                    "saturation",
                    Set.of(
                            "ramp-knee",
                            "two-speeds",
                            "drift",
                            "timeout-too-short",
                            "unanswered",
                            "failures-with-load")),
            Map.entry("ramp-knee", Set.of("timeout-too-short", "unanswered")),
            Map.entry("heap-growth", Set.of("drift")),
            Map.entry("bandwidth", Set.of("saturation", "two-speeds", "drift", "ramp-knee", "slow-connects")),
            Map.entry("rate-limit", Set.of("failures-with-load", "ramp-knee", "two-speeds", "outage")),
            Map.entry("load-shedding", Set.of("failures-with-load", "ramp-knee", "two-speeds")),
            Map.entry(
                    "accept-queue",
                    with(
                            OF_WAITING,
                            "slow-connects",
                            "jitter",
                            "new-connections",
                            "connection-limit",
                            "keep-alive-limit",
                            "resets")),
            Map.entry("packet-loss", Set.of("two-speeds")),
            Map.entry("cold-starts", Set.of("slow-start", "two-speeds", "standstill", "slow-period")),
            Map.entry("slow-start", Set.of("two-speeds", "standstill", "slow-period", "drift")),
            Map.entry("gives-up", Set.of("outage", "resets", "two-speeds", "failures-with-load")),
            Map.entry(
                    "restarts",
                    Set.of(
                            "standstill",
                            "new-connections",
                            "failures-with-load",
                            "load-shedding",
                            "steady-failures",
                            "bad-gateway")),
            Map.entry("connection-limit", Set.of("failures-with-load", "resets", "new-connections", "steady-failures")),
            Map.entry("serial-streams", OF_WAITING),
            Map.entry("slow-first-request", Set.of("two-speeds", "slow-start")));

    /** A cause that explains less than this part of what it is to explain leaves another one. */
    private static final double LEAST_OF = 0.25;

    private Consequences() {}

    private static Set<String> with(Set<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).collect(Collectors.toSet());
    }

    /** The causes among findings, in their order, each with what follows from it. */
    static List<Diagnosis> under(List<Diagnosis> found) {
        Map<Diagnosis, List<String>> follow = new IdentityHashMap<>();
        List<Diagnosis> causes = new ArrayList<>();
        for (Diagnosis one : found) {
            Diagnosis root = root(one, found);
            if (root == one) {
                causes.add(one);
            } else {
                follow.computeIfAbsent(root, any -> new ArrayList<>()).add(one.id() + ": " + one.text());
            }
        }
        return causes.stream()
                .map(cause -> cause.followedBy(follow.getOrDefault(cause, List.of())))
                .toList();
    }

    /** The cause of its cause, and so on; the sets above have no circle. */
    private static Diagnosis root(Diagnosis one, List<Diagnosis> found) {
        return found.stream()
                .filter(other -> explains(other, one))
                .findFirst()
                .map(cause -> root(cause, found))
                .orElse(one);
    }

    private static boolean explains(Diagnosis cause, Diagnosis other) {
        boolean together = cause.phase().isEmpty()
                || other.phase().isEmpty()
                || cause.phase().equals(other.phase());
        return together
                && BY_CAUSE.getOrDefault(cause.id(), Set.of()).contains(other.id())
                && cause.impact() >= LEAST_OF * other.impact();
    }
}
