package io.phaseload.result.store;

import io.phaseload.planfile.PlanFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds differences between two plans that keep their figures from being comparable: everything but name, labels,
 * addresses, thresholds and seed. Also compares the number of threads that each phase really had, which is higher than
 * the plan's if runs were merged.
 */
public final class PlanDifferences {

    private static final Set<String> MAY_DIFFER = Set.of("name", "labels", "seed", "serverMetrics", "thresholds");
    private static final int LONGEST = 60;

    private PlanDifferences() {}

    /**
     * Compares two runs.
     *
     * @param one a run
     * @param other another one
     * @return one line for each difference, such as {@code threads: 10 and 20}; empty if they can be compared
     */
    public static List<String> between(StoredRun one, StoredRun other) {
        Map<String, String> first = values(one);
        Map<String, String> second = values(other);
        Set<String> names = new TreeSet<>(first.keySet());
        names.addAll(second.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            String a = first.getOrDefault(name, "none");
            String b = second.getOrDefault(name, "none");
            if (!a.equals(b)) {
                differences.add("%s: %s and %s".formatted(name, shortened(a), shortened(b)));
            }
        }
        return differences;
    }

    private static String shortened(String value) {
        return value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…";
    }

    private static Map<String, String> values(StoredRun run) {
        Map<String, String> values = new TreeMap<>();
        add(values, "", JsonMapper.shared().readTree(PlanFile.toResultJson(run.plan())));
        run.plan()
                .phases()
                .forEach(
                        phase -> values.put("phases " + phase.name() + " users", Integer.toString(run.threads(phase))));
        return values;
    }

    /** All values by their place; list elements by their names, if they have one. */
    private static void add(Map<String, String> values, String place, JsonNode node) {
        if (node.isObject()) {
            node.properties().forEach(property -> {
                if (!mayDiffer(place, property.getKey())) {
                    add(values, (place + " " + property.getKey()).strip(), property.getValue());
                }
            });
        } else if (node.isArray() && !node.isEmpty()) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < node.size(); i++) {
                names.add(node.get(i).path("name").asString(Integer.toString(i + 1)));
                add(values, place + " " + names.get(i), node.get(i));
            }
            // Their order matters, too.
            values.put(place, String.join(", ", names));
        } else {
            values.put(place, node.asString());
        }
    }

    private static boolean mayDiffer(String place, String key) {
        return place.equals("target") && key.equals("url")
                || place.isEmpty() && MAY_DIFFER.contains(key)
                || place.endsWith(" arrivals") && key.equals("seed");
    }
}
