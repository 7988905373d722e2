package io.phaseload.journey;

import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Target;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where sessions keep the values of names, and which columns of data are used. The same for equal journeys. Immutable.
 */
public final class Slots {

    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private final int variables;
    private final int extracted;
    private final Map<String, List<String>> columns = new LinkedHashMap<>();
    private final Target target;

    private Slots(Journeys journeys, Target target) {
        this.target = target;
        journeys.variables().keySet().forEach(this::add);
        variables = slots.size();
        journeys.extracted().forEach(this::add);
        extracted = slots.size();
        for (Feeder feeder : journeys.feeders()) {
            columns.put(feeder.name(), new ArrayList<>());
        }
        journeys.all().forEach(journey -> templates(journey).forEach(this::addColumns));
    }

    /** Those of journeys against a target, whose headers are templates, too. */
    public static Slots of(Journeys journeys, Target target) {
        return new Slots(journeys, target);
    }

    private void add(String name) {
        slots.putIfAbsent(name, slots.size());
    }

    /** Whatever a journey takes values for. */
    private List<Template> templates(Journey journey) {
        List<Template> templates = new ArrayList<>();
        target.headers().forEach(header -> templates.add(Template.parse(header.value())));
        templates.addAll(Journeys.templates(journey));
        return templates;
    }

    /** Indices of the feeders of which a journey takes rows. */
    int[] feeders(Journey journey) {
        List<String> names = List.copyOf(columns.keySet());
        return templates(journey).stream()
                .flatMap(template -> template.names().stream())
                .filter(name -> name.indexOf('.') > 0)
                .mapToInt(name -> names.indexOf(name.substring(0, name.indexOf('.'))))
                .distinct()
                .sorted()
                .toArray();
    }

    private void addColumns(Template template) {
        for (String name : template.names()) {
            int dot = name.indexOf('.');
            if (dot > 0 && !slots.containsKey(name)) {
                add(name);
                columns.get(name.substring(0, dot)).add(name.substring(dot + 1));
            }
        }
    }

    /** {@return the names that have one} */
    Set<String> names() {
        return slots.keySet();
    }

    int of(String name) {
        return slots.get(name);
    }

    int count() {
        return slots.size();
    }

    /** The first slot of values that are taken from responses. */
    int variables() {
        return variables;
    }

    /** Behind the last one of these. */
    int extracted() {
        return extracted;
    }

    /** The columns of a feeder that templates take. */
    List<String> columns(Feeder feeder) {
        return columns.get(feeder.name());
    }
}
