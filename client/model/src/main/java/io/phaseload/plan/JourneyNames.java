package io.phaseload.plan;

import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.Template;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which names the templates of a journey may take, step by step. */
final class JourneyNames {

    private final String kind;
    private final Journey journey;
    private final Set<String> known;
    private final Set<String> feeders = new HashSet<>();
    private final Set<String> groups = new HashSet<>();

    /**
     * Of a journey.
     *
     * @param kind precedes its name in messages
     */
    JourneyNames(String kind, Journey journey, Set<String> variables, List<Feeder> all) {
        this.kind = kind;
        this.journey = journey;
        this.known = new TreeSet<>(variables);
        all.forEach(feeder -> feeders.add(feeder.name()));
    }

    void check() {
        groups.add("follow-ups");
        check(journey.steps());
        journey.session().credentials().ifPresent(text -> check("session", Template.parse(text)));
    }

    private void check(List<Step> steps) {
        for (Step step : steps) {
            if (step instanceof Step.Measured measured) {
                check(measured);
            } else if (step instanceof Step.Code code) {
                code.sets().forEach(name -> know("code " + code.name(), name));
            } else if (step instanceof Step.When when) {
                check("when", when.condition().left());
                check("when", when.condition().right());
            } else if (step instanceof Step.Group group && !groups.add(group.name())) {
                throw failure("group " + group.name(), "expected a name that is unique");
            }
            check(step.steps());
        }
    }

    private void check(Step.Measured measured) {
        String step = "step " + measured.operation().name();
        templates(step, measured).forEach(template -> check(step, template));
        for (Extraction extraction : measured.extractions()) {
            know(step, extraction.name());
        }
        measured.moments().forEach(moment -> check(step, moment));
    }

    private void know(String step, String name) {
        if (feeders.contains(name)) {
            throw failure(step, name + ": expected another name than data's");
        }
        known.add(name);
    }

    private List<Template> templates(String step, Step.Measured measured) {
        try {
            return measured.templates();
        } catch (IllegalArgumentException e) {
            throw failure(step, String.valueOf(e.getMessage()));
        }
    }

    private void check(String step, Template template) {
        for (String name : template.names()) {
            int dot = name.indexOf('.');
            boolean fits = dot < 0 ? known.contains(name) : feeders.contains(name.substring(0, dot));
            if (!fits) {
                Set<String> names = new TreeSet<>(known);
                feeders.forEach(feeder -> names.add(feeder + ".column"));
                throw failure(
                        step,
                        "{%s}: expected %s"
                                .formatted(
                                        name,
                                        names.isEmpty()
                                                ? "{{ for a brace, as nothing has a name here"
                                                : "one of " + String.join(", ", names)));
            }
        }
    }

    private IllegalArgumentException failure(String where, String what) {
        return new IllegalArgumentException("%s%s, %s: %s".formatted(kind, journey.name(), where, what));
    }
}
