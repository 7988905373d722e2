package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.plan.share.Part;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The whole input of a run.
 *
 * @param name part of the results folder's name; letters, digits, {@code .}, {@code -} and {@code _}
 * @param target the target of requests
 * @param scenario the requests of one iteration
 * @param threads the number of users at the peak: 1 to 1,000,000
 * @param phases in order; at least one; names are unique
 * @param engine the engine and its settings
 * @param virtualThreads {@code true} runs users on virtual threads (JDK 21 and later; engine {@code threads})
 * @param seed of all random numbers
 * @param labels free text for telling results apart, in order
 * @param serverMetrics the pages of the target's own figures, if any
 * @param thresholds conditions for the run to pass
 * @param part the part of it that this client runs: {@link Part#WHOLE}, unless several clients share it
 * @param changes changes of phases' loads while they run
 * @param untilDecided the longest time that the last measured phase lasts if a threshold is undecided at its planned
 *     end; empty to end as planned
 * @param signer signs requests as they are sent; files keep only its label: see {@link #signedBy}
 */
public record Plan(
        String name,
        Target target,
        Scenario scenario,
        int threads,
        List<Phase> phases,
        EngineSettings engine,
        boolean virtualThreads,
        long seed,
        Map<String, String> labels,
        Optional<ServerMetrics> serverMetrics,
        List<Threshold> thresholds,
        Part part,
        List<LoadChange> changes,
        Optional<Duration> untilDecided,
        Optional<RequestSigner> signer) {

    /** The part of runs in which intervals are right: 95 %. */
    private static final double ALL = 0.95;

    /** From one look at undecided thresholds to the next, the phase lasts longer by this factor. */
    private static final double NEXT_LOOK = 1.25;

    /** The key of the label that says how requests were signed. */
    public static final String SIGNED = "signed";

    /** The key of the label for an HTTP client of the caller's. */
    public static final String CLIENT = "client";

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Plan {
        checkName(name);
        Limit.THREADS.check(threads);
        phases = Args.notEmpty("phases", phases);
        PlanChecks.check(target, scenario, phases, engine, signer);
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        thresholds = List.copyOf(thresholds);
        changes = List.copyOf(changes);
        PlanChecks.checkChanges(changes, phases);
        for (Threshold threshold : thresholds) {
            PlanChecks.checkScope(
                    threshold,
                    phases,
                    scenario,
                    serverMetrics.map(ServerMetrics::names).orElse(List.of()));
        }
        if (untilDecided.isPresent()) {
            PlanChecks.checkDecided(untilDecided.get(), decidedPhase(phases));
        }
    }

    private static Phase decidedPhase(List<Phase> phases) {
        List<String> measured = Phase.measured(phases.stream().map(Phase::name).toList());
        return phases.stream()
                .filter(phase -> phase.name().equals(measured.get(measured.size() - 1)))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The times at which thresholds are judged to end the last measured phase, or to go on: at its planned end, and
     * each time that it has become longer by a quarter.
     *
     * @param phase one of the plan's
     * @return times since its start, the last one its end; none of a phase that ends as planned
     */
    public List<Duration> looks(Phase phase) {
        if (untilDecided.isEmpty()
                || !phase.equals(decidedPhase(phases))
                || !(phase.length() instanceof PhaseLength.Lasting planned)) {
            return List.of();
        }
        List<Duration> looks = new ArrayList<>();
        double seconds = planned.duration().toNanos() / 1e9;
        for (; seconds < untilDecided.get().toNanos() / 1e9; seconds *= NEXT_LOOK) {
            looks.add(Duration.ofNanos(Math.round(1e9 * seconds)));
        }
        looks.add(untilDecided.get());
        return looks;
    }

    /**
     * The coverage of thresholds' intervals. Of several looks, each has its part of the error (Bonferroni), so that all
     * of them together are wrong in 5 of 100 runs at most.
     *
     * @return 0.95, or more with {@link #untilDecided()}
     */
    public double coverage() {
        int looks = looks(decidedPhase(phases)).size();
        return 1 - (1 - ALL) / Math.max(1, looks);
    }

    /**
     * This plan with a last measured phase that goes on while a threshold is undecided.
     *
     * @param most see {@link #untilDecided()}
     * @return a copy
     * @throws IllegalArgumentException if that phase can't last longer
     */
    public Plan untilDecided(Duration most) {
        return toBuilder().untilDecided(most).copy();
    }

    /**
     * Checks a plan's name.
     *
     * @return the name
     * @throws IllegalArgumentException if it has other characters than {@link #name()} allows, or too many
     */
    public static String checkName(String name) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new ValueException("name '%s'".formatted(name), "letters, digits, '.', '-' and '_'");
        }
        return name;
    }

    /**
     * The files that a plan only names, and that are read when a run begins: data of journeys, certificates and keys.
     *
     * @return each once, in no order
     */
    public Set<Path> files() {
        Set<Path> files = new LinkedHashSet<>(target.tlsFiles().all());
        scenario.journeys().ifPresent(all -> all.feeders().forEach(of -> files.add(of.file())));
        return files;
    }

    /**
     * This plan with its {@link #files()} at other places.
     *
     * @param places of each
     * @return a copy
     */
    public Plan withFiles(UnaryOperator<Path> places) {
        return toBuilder()
                .tlsFiles(target.tlsFiles().at(places))
                .scenario(scenario.withJourneys(journeys -> journeys.withFiles(places)))
                .copy();
    }

    /**
     * This plan with other values of variables.
     *
     * @param values by the names of the plan's own; none if it has no journeys
     * @return a copy
     */
    public Plan withVariables(Map<String, String> values) {
        return toBuilder().scenario(scenario.withVariables(values)).copy();
    }

    /**
     * The thresholds, with operations named as in results.
     *
     * @return in order
     */
    public List<Threshold> thresholdsInResult() {
        List<Operation> operations = scenario.operations();
        List<String> inResult = Operation.namesInResult(operations);
        List<String> names = operations.stream().map(Operation::name).toList();
        return thresholds.stream()
                // Journeys are named as they are.
                .map(threshold ->
                        threshold.withNames(name -> names.contains(name) ? inResult.get(names.indexOf(name)) : name))
                .toList();
    }

    /**
     * The names of its {@linkplain Phase#measured measured phases}.
     *
     * @return at least one, in order
     */
    public List<String> measuredPhases() {
        return Phase.measured(phases.stream().map(Phase::name).toList());
    }

    /**
     * This plan with other thresholds.
     *
     * @param others in place of its own
     * @return a copy
     * @throws IllegalArgumentException as the constructor does
     */
    public Plan withThresholds(List<Threshold> others) {
        return toBuilder().thresholds(others).copy();
    }

    /**
     * This plan for another number of users.
     *
     * @param count see {@link #threads()}
     * @return a copy
     * @throws IllegalArgumentException as the constructor does
     */
    public Plan withThreads(int count) {
        return toBuilder().threads(count).copy();
    }

    /**
     * Another part of this plan, for a client that shares it with others.
     *
     * @param share the part that it runs
     * @return a copy
     */
    public Plan withPart(Part share) {
        return toBuilder().part(share).copy();
    }

    /**
     * How many users run a phase here.
     *
     * @param phase one of the plan's
     * @return those of its users that are of this plan's {@link #part()}: 0 or more
     */
    public int users(Phase phase) {
        return (int) part.count(phase.users(threads));
    }

    /**
     * The names of the target's own figures that are read.
     *
     * @return in order; none if there is nowhere to read them
     */
    public List<String> serverFigures() {
        return serverMetrics.map(ServerMetrics::names).orElse(List.of());
    }

    /**
     * This plan with other operations.
     *
     * @param operations the requests of one iteration, in order
     * @return a copy
     * @throws IllegalArgumentException as {@link Scenario} does
     */
    public Plan withOperations(List<Operation> operations) {
        return operations.equals(scenario.operations())
                ? this
                : toBuilder().scenario(new Scenario(operations)).copy();
    }

    /**
     * This plan with other names for the requests of its iterations, which aren't scenarios.
     *
     * @param names the first ones of its operations; the others keep theirs
     * @return a copy
     * @throws IllegalArgumentException as {@link Scenario} does
     */
    public Plan withNames(List<String> names) {
        return names.isEmpty()
                ? this
                : toBuilder().scenario(scenario.named(names)).copy();
    }

    /**
     * This plan with signed requests, and with a label that says so: {@link #SIGNED}.
     *
     * @param signer its {@code toString()} is the label's value, and must not contain secrets
     * @return the plan
     */
    public Plan signedBy(RequestSigner signer) {
        return toBuilder().label(SIGNED, signer.toString()).signer(signer).copy();
    }

    /**
     * This plan with one more label.
     *
     * @param key replaced if it is there
     * @param value free text
     * @return a copy
     */
    public Plan labelled(String key, String value) {
        return toBuilder().label(key, value).copy();
    }

    /**
     * The changes of a phase's load.
     *
     * @param phase one of the plan's
     * @return in the plan's order
     */
    public List<LoadChange> changes(Phase phase) {
        return changes.stream().filter(of -> of.phase().equals(phase.name())).toList();
    }

    /**
     * This plan with other changes of its phases' loads.
     *
     * @param others in place of its own
     * @return a copy
     * @throws IllegalArgumentException naming a change that a phase can't have
     */
    public Plan withChanges(List<LoadChange> others) {
        return toBuilder().changes(others).copy();
    }

    /**
     * Starts building a plan for a server.
     *
     * @param uri see {@link Target#uri()}
     * @return a builder with all defaults
     */
    public static PlanBuilder builder(URI uri) {
        return new PlanBuilder(uri);
    }

    /** {@return a builder with all that this plan has} */
    public PlanBuilder toBuilder() {
        return new PlanBuilder(this);
    }
}
