package io.phaseload.cli.sweep;

import io.phaseload.cli.run.Filling;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.plan.journey.Template;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.PlanTexts;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.sweep.trials.Trial;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fills a trial's values into the sweep's options and its plan's file. In a plan with scenarios each parameter is a
 * variable, too; what their templates take stays as it is.
 */
final class TrialTexts implements PlanTexts {

    private static final String REQUESTS = "/operations/";

    private final Placeholders values;
    private final Set<String> parameters;
    private final boolean requests;
    private final Set<String> taken = new HashSet<>();
    private final Map<String, String> own = new HashMap<>();

    /**
     * Makes one for one reading of a plan.
     *
     * @param trial has the values
     * @param parameters the names that the sweep gave, among those of the values
     * @param requests true if a file's requests are filled in
     * @param used gets the names that were filled in
     */
    TrialTexts(Trial trial, Set<String> parameters, boolean requests, Set<String> used) {
        this.values = new Placeholders(trial.values(), used);
        this.parameters = parameters;
        this.requests = requests;
    }

    Filling filling() {
        return new Filling(values::fill, this, this::completed);
    }

    @Override
    public String text(String at, String text) {
        return at.startsWith(REQUESTS) && !requests ? text : values.fillPlan(text);
    }

    @Override
    public void template(String text) {
        try {
            taken.addAll(Template.parse(text).names());
        } catch (IllegalArgumentException e) {
            // Whoever reads the plan says what is wrong, and where.
        }
    }

    @Override
    public void value(String at) {
        own.put(at.substring(at.lastIndexOf('/') + 1), at.substring(1).replace('/', '.'));
    }

    private Settings completed(Settings settings) {
        Settings whole = settings;
        if (settings.has(Setting.SCENARIOS)) {
            for (Map.Entry<String, String> value : values.values().entrySet()) {
                boolean parameter = parameters.contains(value.getKey());
                if (parameter) {
                    checkFree(value.getKey());
                }
                // What every sweep has is behind the plan's own.
                if (parameter || taken.contains(value.getKey()) && !own.containsKey(value.getKey())) {
                    whole = whole.with(Setting.VARIABLES, variable(value));
                }
            }
        }
        return whole;
    }

    private void checkFree(String name) {
        if (own.containsKey(name)) {
            throw new UsageException("--param %s: expected another name: the plan's scenarios have a value %s"
                    .formatted(name, own.get(name)));
        }
        try {
            Template.checkName(name);
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--param %s: expected another name: {%s} is a value that every scenario has", name, name);
        }
    }

    private static Given variable(Map.Entry<String, String> value) {
        Origin origin = new Origin.Option("--param");
        Given text = Given.text(Setting.VARIABLES, value.getValue(), origin);
        return Given.object(Map.of(value.getKey(), text), origin);
    }

    /** Which variables something in the plan takes. */
    void addUsed(Plan plan) {
        plan.scenario().journeys().ifPresent(journeys -> {
            List<String> unused = journeys.unusedVariables(plan.target());
            journeys.variables().keySet().stream()
                    .filter(name -> !unused.contains(name))
                    .forEach(values.used()::add);
        });
    }
}
