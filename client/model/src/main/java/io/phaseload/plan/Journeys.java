package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.Secrets;
import io.phaseload.options.ValueException;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.journey.Template;
import io.phaseload.plan.share.Turns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The iterations of users, one after another, and their data.
 *
 * @param all at least one; names are unique
 * @param variables values that templates take by name, the same for all; <code>${env:NAME}</code> in one is the
 *     environment's when a run begins, and is nowhere written
 * @param feeders data files, by name
 * @param ofEnvironment the variables that the environment has or had a part in, which are secret
 */
public record Journeys(
        List<Journey> all, Map<String, String> variables, List<Feeder> feeders, Set<String> ofEnvironment) {

    private static final long MOST_REQUESTS = 1_000_000_000;

    private static final Pattern ENVIRONMENT = Pattern.compile("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)}");

    /**
     * Checks that each journey sends something, and that every name in a template is known.
     *
     * @throws IllegalArgumentException naming the journey and the step, and what is allowed
     */
    public Journeys {
        all = Args.notEmpty("scenarios", all);
        variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        feeders = List.copyOf(feeders);
        ofEnvironment = Set.copyOf(ofEnvironment);
        Set<String> names = new HashSet<>();
        variables.keySet().forEach(name -> add("variable", Template.checkName(name), names));
        feeders.forEach(feeder -> add("data", feeder.name(), names));
        for (Journey journey : all) {
            add("scenario", "scenario " + journey.name(), names);
            if (journey.leastRequests() < 1 || journey.requests() > MOST_REQUESTS) {
                throw new ValueException(
                        "scenario " + journey.name(),
                        "1 to %d requests, one at least without a condition".formatted(MOST_REQUESTS));
            }
            new JourneyNames("scenario ", journey, variables.keySet(), feeders).check();
        }
    }

    /**
     * Journeys whose variables are as written.
     *
     * @param all see {@link #all()}
     * @param variables see {@link #variables()}
     * @param feeders see {@link #feeders()}
     * @throws IllegalArgumentException as the canonical constructor does
     */
    public Journeys(List<Journey> all, Map<String, String> variables, List<Feeder> feeders) {
        this(all, variables, feeders, ofEnvironment(variables));
    }

    /**
     * The variables that name the environment.
     *
     * @param variables see {@link #variables()}
     * @return their names
     */
    public static Set<String> ofEnvironment(Map<String, String> variables) {
        return variables.keySet().stream()
                .filter(name -> ENVIRONMENT.matcher(variables.get(name)).find())
                .collect(Collectors.toSet());
    }

    /**
     * Journeys without data.
     *
     * @param all see {@link #all()}
     * @throws IllegalArgumentException as the constructor does
     */
    public static Journeys of(Journey... all) {
        return new Journeys(List.of(all), Map.of(), List.of());
    }

    /**
     * The variables' values.
     *
     * @param environment the environment of variables that name it
     * @return by name, in order
     * @throws IllegalArgumentException if a variable isn't in the environment
     */
    public Map<String, String> filled(Map<String, String> environment) {
        Map<String, String> filled = new LinkedHashMap<>();
        variables.forEach((name, value) -> filled.put(name, filled(name, value, environment)));
        return filled;
    }

    private static String filled(String name, String value, Map<String, String> environment) {
        return ENVIRONMENT.matcher(value).replaceAll(match -> {
            String found = environment.get(match.group(1));
            if (found == null) {
                throw new ValueException("variable " + name, "%s in the environment".formatted(match.group(1)));
            }
            return Matcher.quoteReplacement(found);
        });
    }

    /**
     * Whether what a name stands for is not to be written.
     *
     * @param name of a variable, a value that is taken or a column of data
     * @return {@code true} for variables of the environment, and for names that suggest a secret
     */
    public boolean isSecret(String name) {
        return ofEnvironment.contains(name) || Secrets.isSecret(name);
    }

    /**
     * These journeys with other variables.
     *
     * @param values see {@link #variables()}; by the same names
     * @return a copy
     * @throws IllegalArgumentException as the constructor does
     */
    public Journeys withVariables(Map<String, String> values) {
        return new Journeys(all, values, feeders, ofEnvironment);
    }

    /** With the places of data files changed. */
    Journeys withFiles(UnaryOperator<Path> places) {
        return new Journeys(
                all,
                variables,
                feeders.stream()
                        .map(feeder -> feeder.at(places.apply(feeder.file())))
                        .toList(),
                ofEnvironment);
    }

    private static void add(String what, String name, Set<String> names) {
        if (!names.add(name)) {
            throw new ValueException("%s %s".formatted(what, name), "a name that is unique");
        }
    }

    /**
     * Each request step as results name it: after its journey, if there are several, and with a number where the name
     * is used before. Behind them, for each journey whose responses may ask for requests of their own, these together:
     * its {@code follow-ups}; and then, for each journey that sends some again if they fail, these together: its
     * {@code retries}.
     *
     * @return in the order of the steps, journey by journey
     */
    public List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (Journey journey : all) {
            String prefix = all.size() > 1 ? journey.name() + ": " : "";
            for (Step.Measured step : journey.measured()) {
                operations.add(named(step.operation(), prefix, names));
            }
        }
        addOwn("follow-ups", journey -> journey.session().followUps(), operations, names);
        addOwn("retries", Journey::retries, operations, names);
        return operations;
    }

    /** Requests that no step names, of the journeys that have some. */
    private void addOwn(String name, Predicate<Journey> having, List<Operation> operations, Set<String> names) {
        for (Journey journey : all) {
            if (having.test(journey)) {
                String prefix = all.size() > 1 ? journey.name() + ": " : "";
                operations.add(named(Operation.get("/").named(name), prefix, names));
            }
        }
    }

    private static Operation named(Operation operation, String prefix, Set<String> names) {
        String name = prefix + operation.name();
        String unique = name;
        for (int i = 2; !names.add(unique); i++) {
            unique = name + " #" + i;
        }
        return operation.named(unique);
    }

    /** {@return the steps with figures: in the order of {@link #operations()}, which begin with them} */
    public List<Step.Measured> requests() {
        return all.stream().flatMap(journey -> journey.measured().stream()).toList();
    }

    /**
     * A span that is timed as a whole.
     *
     * @return the journeys' names, then those of their groups as {@code journey/group}, then {@code journey/follow-ups}
     *     for requests with those that their responses asked for; in order
     */
    public List<String> timed() {
        List<String> names = new ArrayList<>(all.stream().map(Journey::name).toList());
        for (Journey journey : all) {
            journey.each(Step.Group.class).forEach(group -> names.add(journey.name() + "/" + group.name()));
        }
        for (Journey journey : all) {
            if (journey.session().followUps()) {
                names.add(journey.name() + "/follow-ups");
            }
        }
        return names;
    }

    /**
     * Turns: exact shares by weight, as evenly mixed as they can be. Users in a closed model, and arrivals in an open
     * one, go round it by their index.
     *
     * @param phase the name of a phase in which one at least takes part
     * @return indices of journeys
     */
    public int[] turns(String phase) {
        return Turns.of(
                all.stream().mapToInt(journey -> journey.weightIn(phase)).toArray());
    }

    /** Checks that weights name phases that there are, and that one takes part in each phase. */
    void checkPhases(List<String> phases) {
        for (Journey journey : all) {
            for (String named : journey.weights().keySet()) {
                if (!phases.contains(named)) {
                    throw new ValueException(
                            "scenario %s: weight in phase %s".formatted(journey.name(), named),
                            "a phase of " + String.join(", ", phases));
                }
            }
        }
        for (String phase : phases) {
            if (all.stream().allMatch(journey -> journey.weightIn(phase) == 0)) {
                throw new ValueException("scenarios", "one with a weight in phase " + phase);
            }
        }
    }

    /** {@return true if a step uses a WebSocket} */
    public boolean haveSockets() {
        return requests().stream().anyMatch(Step.Socket.class::isInstance);
    }

    /** {@return true if users of any have cookies, redirects or credentials in addition to extracted values} */
    public boolean haveSessions() {
        return all.stream().anyMatch(journey -> !journey.session().equals(SessionRules.NONE));
    }

    /** {@return true if a session reads headers of responses, or a step takes a value of one} */
    public boolean keepHeads() {
        return haveSessions()
                || requests().stream()
                        .flatMap(step -> step.extractions().stream())
                        .anyMatch(Extraction::ofHead);
    }

    /**
     * The unused parts of a plan.
     *
     * @param target has headers, which are templates, too
     * @return such as {@code variable size}; in the order of a plan's file; empty if all is taken
     */
    public List<String> unused(Target target) {
        Set<String> taken = taken(target);
        List<String> unused = new ArrayList<>();
        unusedVariables(target).forEach(name -> unused.add("variable " + name));
        feeders.stream()
                .map(Feeder::name)
                .filter(name -> taken.stream().noneMatch(of -> of.startsWith(name + ".")))
                .forEach(name -> unused.add("data " + name));
        for (Journey journey : all) {
            for (Step.Measured step : journey.measured()) {
                step.extractions().stream()
                        .filter(extraction -> !taken.contains(extraction.name()))
                        .forEach(extraction -> unused.add("scenario %s, step %s: extract %s"
                                .formatted(journey.name(), step.operation().name(), extraction.name())));
            }
        }
        return unused;
    }

    /**
     * The variables that nothing takes.
     *
     * @param target has headers, which are templates, too
     * @return their names, in order
     */
    public List<String> unusedVariables(Target target) {
        Set<String> taken = taken(target);
        return variables.keySet().stream().filter(name -> !taken.contains(name)).toList();
    }

    private Set<String> taken(Target target) {
        Set<String> taken = new HashSet<>();
        target.headers()
                .forEach(header -> taken.addAll(Template.parse(header.value()).names()));
        all.forEach(journey -> templates(journey).forEach(template -> taken.addAll(template.names())));
        return taken;
    }

    /**
     * Whatever a journey takes values for, but for the target's headers.
     *
     * @param journey one of these
     * @return in no order
     */
    public static List<Template> templates(Journey journey) {
        List<Template> templates = new ArrayList<>();
        journey.session().credentials().map(Template::parse).ifPresent(templates::add);
        for (Step.Measured own : journey.measured()) {
            templates.addAll(own.templates());
            templates.addAll(own.moments());
        }
        for (Step.When when : journey.each(Step.When.class).toList()) {
            templates.add(when.condition().left());
            templates.add(when.condition().right());
        }
        return templates;
    }

    /**
     * Whether responses give all that an operation asks for.
     *
     * @param operation one of these journeys'
     * @return true if its path, and its body of text if it has a body, hold no values but those that steps take from
     *     responses; with a body, the path holds one
     */
    public boolean gives(Operation operation) {
        return operation.body().isEmpty()
                ? isGiven(operation.path())
                : operation.path().contains("{")
                        && isGiven(operation.path())
                        && operation
                                .body()
                                .flatMap(Body::text)
                                .filter(this::isGiven)
                                .isPresent();
    }

    private boolean isGiven(String template) {
        List<String> given = extracted();
        return Template.parse(template).parts().stream()
                .allMatch(part -> part instanceof Template.Literal
                        || part instanceof Template.Value value && given.contains(value.name()));
    }

    /** {@return the names of values that steps take from responses, or that code sets} */
    public List<String> extracted() {
        return all.stream()
                .flatMap(journey -> journey.each(Step.class))
                .flatMap(step -> step instanceof Step.Measured own
                        ? own.extractions().stream().map(Extraction::name)
                        : step instanceof Step.Code code ? code.sets().stream() : Stream.empty())
                .distinct()
                .toList();
    }
}
