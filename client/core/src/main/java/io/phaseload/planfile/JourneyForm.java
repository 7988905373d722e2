package io.phaseload.planfile;

import io.phaseload.input.Secrets;
import io.phaseload.plan.Header;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.journey.Template;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Journeys with their variables and data files as documents: scenarios of a plan's file. */
record JourneyForm(Settings settings, HeaderForm headers, SessionRules common) {

    /** The scenarios of settings; empty if they have none. Some rules hold where one has none. */
    static Optional<Scenario> read(Settings settings, HeaderForm headers, SessionRules common) {
        List<Given> scenarios = settings.all(Setting.SCENARIOS);
        for (Given beside : List.of(Setting.VARIABLES, Setting.DATA).stream()
                .flatMap(setting -> settings.all(setting).stream())
                .toList()) {
            if (scenarios.isEmpty() && !(settings.has(Setting.PAIRS) && !settings.has(Setting.DATA))) {
                throw beside.needs("scenarios, whose steps take it");
            }
        }
        return scenarios.isEmpty()
                ? Optional.empty()
                : Optional.of(new JourneyForm(settings, headers, common).scenario(scenarios));
    }

    private Scenario scenario(List<Given> scenarios) {
        for (String other :
                List.of(Setting.OPERATIONS, Setting.BODY, Setting.EXPECT, Setting.METRIC, Setting.EVENT_STREAM)) {
            if (settings.has(other)) {
                throw settings.given(other).conflict(scenarios.get(0).origin().name());
            }
        }
        List<Journey> journeys = scenarios.stream().map(this::journey).toList();
        Map<String, String> variables = variables(settings, headers.toRun());
        List<Feeder> feeders =
                settings.all(Setting.DATA).stream().map(JourneyForm::feeder).toList();
        return scenarios.get(0).checked(() -> {
            for (Header header : headers.ofTarget()) {
                Template.parse(header.value());
            }
            return Scenario.of(new Journeys(journeys, variables, feeders));
        });
    }

    private Journey journey(Given given) {
        String name = given.part("name").map(Given::text).orElse("");
        Optional<Given> weight = given.part("weight");
        int same =
                weight.filter(one -> !one.isObject()).map(one -> one.count(1)).orElse(1);
        Map<String, Integer> byPhase =
                weight.filter(Given::isObject).map(JourneyForm::weights).orElse(Map.of());
        List<Step> steps = new StepForm(headers).steps(given.part("steps").orElseThrow());
        SessionRules rules = given.part("session").map(this::rules).orElse(common);
        return given.checked(() -> new Journey(name, same, byPhase, rules, steps));
    }

    private static Map<String, Integer> weights(Given given) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        for (String phase : given.keys()) {
            weights.put(phase, given.part(phase).orElseThrow().count(0));
        }
        return weights;
    }

    private SessionRules rules(Given given) {
        Optional<Given> credentials = given.part("credentials");
        if (headers.toRun()
                && credentials.map(Given::text).filter(Secrets::isRedacted).isPresent()) {
            throw credentials.get().needs("their value in a copy of the file: they were secret, and weren't kept");
        }
        return given.checked(() -> new SessionRules(
                isSet(given, "cookies"),
                given.part("redirects").map(Given::text).map(Integer::parseInt).orElse(0),
                isSet(given, "decompress"),
                isSet(given, "cache"),
                credentials.map(Given::text)));
    }

    private static boolean isSet(Given given, String key) {
        return given.part(key).map(Given::text).map(Boolean::parseBoolean).orElse(false);
    }

    /** The variables of a plan. */
    static Map<String, String> variables(Settings settings, boolean toRun) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (Given given : settings.all(Setting.VARIABLES)) {
            Map.Entry<String, String> entry = given.entry('=', "name=value");
            if (toRun && Secrets.isRedacted(entry.getValue())) {
                throw given.needs(
                        "its value in a copy of the file, or ${env:NAME}: it was a secret, which" + " isn't kept");
            }
            variables.put(entry.getKey(), entry.getValue());
        }
        return variables;
    }

    private static Feeder feeder(Given named) {
        String name = named.keys().get(0);
        Given given = named.part(name).orElseThrow();
        Feeder.Format format = given.part("csv").isPresent() ? Feeder.Format.CSV : Feeder.Format.JSON;
        Given file = given.part("csv")
                .or(() -> given.part("json"))
                .orElseThrow(() -> given.wrong("expected a key csv or json with a file"));
        if (given.part("csv").isPresent() && given.part("json").isPresent()) {
            throw given.wrong("expected one of csv and json");
        }
        return given.checked(() -> new Feeder(
                name,
                format,
                file.file(),
                given.word("order", Feeder.RowOrder.values()),
                given.word("each", Feeder.Each.values()),
                given.word("whenExhausted", Feeder.Exhausted.values())));
    }

    /** The journeys of a scenario as documents. */
    static void write(ObjectNode json, Scenario scenario, List<String> names, boolean secrets) {
        Journeys journeys = scenario.journeys().orElseThrow();
        write(json, journeys.variables(), secrets);
        for (Feeder feeder : journeys.feeders()) {
            ObjectNode own = json.withObject("data").putObject(feeder.name());
            own.put(Given.word(feeder.format()), feeder.file().toString());
            own.put("order", Given.word(feeder.order()));
            own.put("each", Given.word(feeder.each()));
            own.put("whenExhausted", Given.word(feeder.whenExhausted()));
        }
        List<String> left = new ArrayList<>(names);
        for (Journey journey : journeys.all()) {
            ObjectNode own = json.withArray("scenarios").addObject();
            own.put("name", journey.name());
            if (journey.weights().isEmpty()) {
                own.put("weight", journey.weight());
            } else {
                journey.weights().forEach(own.putObject("weight")::put);
            }
            write(own, journey.session(), secrets);
            String prefix = journeys.all().size() > 1 ? journey.name() + ": " : "";
            StepForm.write(own, "steps", journey.steps(), prefix.length(), left, secrets);
        }
    }

    /** Variables in a plan's document. */
    static void write(ObjectNode json, Map<String, String> variables, boolean secrets) {
        variables.forEach(
                (name, value) -> json.withObject("variables").put(name, secrets ? value : shown(name, value)));
    }

    private static void write(ObjectNode json, SessionRules rules, boolean secrets) {
        if (rules.equals(SessionRules.NONE)) {
            return;
        }
        ObjectNode own = json.putObject("session");
        own.put("cookies", rules.cookies());
        own.put("redirects", rules.redirects());
        own.put("decompress", rules.decompress());
        own.put("cache", rules.cache());
        rules.credentials()
                .ifPresent(text -> own.put(
                        "credentials",
                        secrets || Template.parse(text).literals().equals(":") ? text : Secrets.REDACTED));
    }

    /** A reference to the environment is no secret itself. */
    private static String shown(String name, String value) {
        return value.matches("\\$\\{env:[A-Za-z_][A-Za-z0-9_]*}") ? value : Secrets.redactHeader(name, value);
    }
}
