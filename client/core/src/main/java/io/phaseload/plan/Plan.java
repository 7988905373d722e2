package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * The whole input of a run.
 *
 * @param name names the results folder; letters, digits, {@code .}, {@code -} and {@code _}
 * @param target where requests go
 * @param scenario what one iteration sends
 * @param threads the number of users at the peak: 1 to 1,000,000
 * @param phases in order; at least one; names are unique
 * @param engine which engine runs it, and what is asked of it
 * @param virtualThreads {@code true} runs users on virtual threads (JDK 21 and later; engine {@code
 *     threads})
 * @param seed of all random numbers
 * @param labels free text for telling results apart, in order
 * @param serverMetrics where the target is asked for its own figures meanwhile, if it is
 * @param thresholds what must hold for the run to pass
 * @param part what of it this client runs: {@link Part#WHOLE}, unless several clients share it
 * @param signer signs requests as they are sent; it isn't kept with a plan, only its label is: see
 *     {@link #signedBy}
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
        Optional<RequestSigner> signer) {

    /** The key of the label that tells how requests were signed. */
    public static final String SIGNED = "signed";

    /** The key of the label that tells of an HTTP client of the caller's. */
    public static final String CLIENT = "client";

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Plan {
        checkName(name);
        Setting.THREADS.check(threads);
        phases = Args.notEmpty("phases", phases);
        Set<String> names = new HashSet<>();
        for (Phase phase : phases) {
            if (!names.add(phase.name())) {
                throw new IllegalArgumentException(
                        "phase '%s': expected names that are unique".formatted(phase.name()));
            }
        }
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        thresholds = List.copyOf(thresholds);
        for (Threshold threshold : thresholds) {
            checkScope(threshold, phases, scenario);
        }
    }

    static String checkName(String name) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException(
                    "name '%s': expected %s".formatted(name, Setting.NAME.kind().expected()));
        }
        return name;
    }

    private static void checkScope(Threshold threshold, List<Phase> phases, Scenario scenario) {
        List<String> names = phases.stream().map(Phase::name).toList();
        if (threshold.phase().isPresent() && !names.contains(threshold.phase().get())) {
            throw new IllegalArgumentException(
                    "threshold '%s': expected a phase of %s"
                            .formatted(threshold, String.join(", ", names)));
        }
        List<String> operations = scenario.operations().stream().map(Operation::name).toList();
        if (threshold.operation().isPresent()
                && !operations.contains(threshold.operation().get())) {
            throw new IllegalArgumentException(
                    "threshold '%s': expected an operation of %s"
                            .formatted(threshold, String.join(", ", operations)));
        }
    }

    /**
     * Reads a plan's file, which says all that the command line says; the README's reference part
     * has its keys.
     *
     * @param file YAML, or JSON, which the {@code result.json} of a run is, too; of a results
     *     folder, that is read
     * @return the plan; it has a default for what the file doesn't say
     * @throws IOException if the file can't be read
     * @throws SettingsException naming the file, the line, the key and what is allowed, if
     *     something in it isn't; also if the plan had secrets, which no file keeps, or asks for
     *     what only the command line does: starting a target, and signing requests
     */
    public static Plan read(Path file) throws IOException {
        Settings settings = SettingsFile.read(file);
        PlanDocument.checkRunnable(settings);
        return PlanDocument.of(settings, Optional.empty());
    }

    /**
     * The plan that settings ask for.
     *
     * @param settings of a command line, a file or both
     * @param started the address of a target that was started for it; empty if the settings have
     *     one
     * @return the plan; a signer, if one is asked for, is the caller's to add
     * @throws SettingsException naming where the first bad setting was written, its value and what
     *     is allowed
     */
    public static Plan of(Settings settings, Optional<URI> started) {
        return PlanDocument.of(settings, started);
    }

    /**
     * Writes a file that {@link #read} reads. Secrets are left out: {@code [redacted]} is in their
     * place, and has to be replaced before the plan can be run.
     *
     * @param file replaced if it is there; JSON if its name ends with {@code .json}, else YAML
     * @throws IOException if it can't be written
     */
    public void write(Path file) throws IOException {
        ObjectNode document = PlanDocument.file(this);
        boolean json = file.toString().endsWith(".json");
        Files.writeString(
                file, json ? document.toPrettyString() + "\n" : PlanDocument.yaml(document));
    }

    /**
     * Names of its {@linkplain Phase#measured measured phases}.
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
        return with(scenario, threads, labels, others, part, signer);
    }

    /**
     * This plan for another number of users.
     *
     * @param count see {@link #threads()}
     * @return a copy
     * @throws IllegalArgumentException as the constructor does
     */
    public Plan withThreads(int count) {
        return with(scenario, count, labels, thresholds, part, signer);
    }

    /**
     * Another part of this plan, for a client that shares it with others.
     *
     * @param share what it runs
     * @return a copy
     */
    public Plan withPart(Part share) {
        return with(scenario, threads, labels, thresholds, share, signer);
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
     * The names of what the target is asked for.
     *
     * @return in order; none if it isn't asked
     */
    public List<String> serverFigures() {
        return serverMetrics.map(ServerMetrics::names).orElse(List.of());
    }

    /**
     * This plan with other operations.
     *
     * @param operations what one iteration sends, in order
     * @return a copy
     * @throws IllegalArgumentException as {@link Scenario} does
     */
    public Plan withOperations(List<Operation> operations) {
        return with(new Scenario(operations), threads, labels, thresholds, part, signer);
    }

    /**
     * This plan with its requests signed, and with a label that says how: {@link #SIGNED}.
     *
     * @param signer its text, which is the label's, has no secrets
     * @return the plan
     */
    public Plan signedBy(RequestSigner signer) {
        Plan labelled = labelled(SIGNED, signer.toString());
        return with(scenario, threads, labelled.labels, thresholds, part, Optional.of(signer));
    }

    /**
     * This plan with one more label.
     *
     * @param key replaced if it is there
     * @param value free text
     * @return a copy
     */
    public Plan labelled(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(labels);
        more.put(key, value);
        return with(scenario, threads, more, thresholds, part, signer);
    }

    private Plan with(
            Scenario newScenario,
            int newThreads,
            Map<String, String> newLabels,
            List<Threshold> newThresholds,
            Part newPart,
            Optional<RequestSigner> newSigner) {
        return new Plan(
                name,
                target,
                newScenario,
                newThreads,
                phases,
                engine,
                virtualThreads,
                seed,
                newLabels,
                serverMetrics,
                newThresholds,
                newPart,
                newSigner);
    }

    /**
     * Begins a plan against a server.
     *
     * @param uri see {@link Target#uri()}
     * @return a builder with every default
     */
    public static PlanBuilder builder(URI uri) {
        return new PlanBuilder(uri);
    }
}
