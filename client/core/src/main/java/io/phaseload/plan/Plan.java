package io.phaseload.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.phaseload.files.PrivateFiles;
import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import io.phaseload.input.YamlText;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The whole input of a run.
 *
 * @param name part of the results folder's name; letters, digits, {@code .}, {@code -} and {@code _}
 * @param target where requests go
 * @param scenario what one iteration sends
 * @param threads the number of users at the peak: 1 to 1,000,000
 * @param phases in order; at least one; names are unique
 * @param engine the engine and its settings
 * @param virtualThreads {@code true} runs users on virtual threads (JDK 21 and later; engine {@code threads})
 * @param seed of all random numbers
 * @param labels free text for telling results apart, in order
 * @param serverMetrics where to read the target's own figures during the run, if anywhere
 * @param thresholds conditions for the run to pass
 * @param part what of it this client runs: {@link Part#WHOLE}, unless several clients share it
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
        Optional<RequestSigner> signer) {

    /** The key of the label that says how requests were signed. */
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
        Limit.THREADS.check(threads);
        phases = Args.notEmpty("phases", phases);
        PlanChecks.check(target, scenario, phases, engine, signer);
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        thresholds = List.copyOf(thresholds);
        for (Threshold threshold : thresholds) {
            PlanChecks.checkScope(threshold, phases, scenario);
        }
    }

    static String checkName(String name) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException("name '%s': expected letters, digits, '.', '-' and '_'".formatted(name));
        }
        return name;
    }

    /**
     * Reads a plan from a file, which can say everything that the command line can; {@code docs/load.md} shows one.
     *
     * @param file YAML or JSON, such as the {@code result.json} of a run; or a results folder, whose
     *     {@code result.json} is read
     * @return the plan, with defaults for what the file leaves out
     * @throws IOException if the file can't be read
     * @throws SettingsException naming the file, the line, the key and what is allowed, if something in the file isn't;
     *     also if the plan had secrets, which files don't keep, or needs the command line: to start a target, or to
     *     sign requests
     */
    public static Plan read(Path file) throws IOException {
        Settings settings = SettingsFile.read(file);
        PlanDocument.checkRunnable(settings);
        return PlanDocument.of(settings, Optional.empty());
    }

    /**
     * Makes a plan of settings.
     *
     * @param settings of a command line, a file or both
     * @param started the address of a target that was started for it; empty if the settings have one
     * @return the plan; the caller adds the signer, if there is one
     * @throws SettingsException naming where the first bad setting was written, its value and what is allowed
     */
    public static Plan of(Settings settings, Optional<URI> started) {
        return PlanDocument.of(settings, started);
    }

    /**
     * Writes a file that {@link #read} reads. Secrets are replaced by {@code [redacted]}; put them back before you run
     * the plan.
     *
     * @param file created so that only its user can read it, or overwritten; JSON if its name ends with {@code .json},
     *     else YAML; names other files by their absolute paths
     * @throws IOException if it can't be written
     */
    public void write(Path file) throws IOException {
        ObjectNode document = document();
        boolean json = file.toString().endsWith(".json");
        if (Files.notExists(file)) {
            PrivateFiles.create(file);
        }
        Files.writeString(file, json ? document.toPrettyString() + "\n" : YamlText.of(document));
    }

    /**
     * What {@link #write} writes, as JSON.
     *
     * @return one object, without secrets
     * @throws IllegalArgumentException if no file can have a part of this plan, such as a negative seed
     */
    public String toJson() {
        return document().toString();
    }

    /** The file may be put anywhere. */
    private ObjectNode document() {
        Plan anywhere = withFiles(Path::toAbsolutePath);
        Target to = anywhere.target;
        return PlanDocument.file(
                to.route() instanceof Route.UnixSocket socket
                        ? anywhere.with(to.by(new Route.UnixSocket(socket.file().toAbsolutePath())), anywhere.scenario)
                        : anywhere);
    }

    /**
     * This plan with its secrets, for a client that runs a part of it; not to be kept.
     *
     * @return JSON that {@link #ofShared} reads; its signer isn't part of it
     * @throws IllegalArgumentException naming a step that is code, which only its JVM can run
     */
    public String toSharedJson() {
        return PlanDocument.shared(this).toString();
    }

    /**
     * The plan that another client shares.
     *
     * @param json see {@link #toSharedJson()}
     * @return the plan; its {@link #files()} are of the client that sent it
     * @throws SettingsException naming what isn't allowed, such as a socket of this machine
     */
    public static Plan ofShared(String json) {
        return PlanDocument.ofShared(JsonMapper.shared().readTree(json));
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
        return with(
                target.withTlsFiles(target.tlsFiles().at(places)),
                scenario.withJourneys(journeys -> journeys.withFiles(places)));
    }

    /**
     * This plan with other values of variables.
     *
     * @param values by the names of the plan's own; none if it has no journeys
     * @return a copy
     */
    public Plan withVariables(Map<String, String> values) {
        return with(target, scenario.withJourneys(journeys -> journeys.withVariables(values)));
    }

    /** As {@code result.json} keeps it. */
    @JsonValue
    ObjectNode ofResult() {
        return PlanDocument.of(this);
    }

    /** The plan of a past run: to look at, not to run. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Plan ofResult(JsonNode json) {
        return PlanDocument.ofResult(json);
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
                .map(threshold -> threshold
                        .operation()
                        .map(names::indexOf)
                        // Journeys are named as they are.
                        .filter(index -> index >= 0)
                        .map(inResult::get)
                        .map(threshold::withOperation)
                        .orElse(threshold))
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
     * @param operations what one iteration sends, in order
     * @return a copy
     * @throws IllegalArgumentException as {@link Scenario} does
     */
    public Plan withOperations(List<Operation> operations) {
        return operations.equals(scenario.operations())
                ? this
                : with(new Scenario(operations), threads, labels, thresholds, part, signer);
    }

    /**
     * This plan with other names for the requests of its iterations, which aren't scenarios.
     *
     * @param names the first ones of its operations; the others keep theirs
     * @return a copy
     * @throws IllegalArgumentException as {@link Scenario} does
     */
    public Plan withNames(List<String> names) {
        return names.isEmpty() ? this : with(scenario.named(names), threads, labels, thresholds, part, signer);
    }

    /**
     * This plan with signed requests, and with a label that says so: {@link #SIGNED}.
     *
     * @param signer its {@code toString()} is the label's value, and must not contain secrets
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

    private Plan with(Target newTarget, Scenario newScenario) {
        return with(newTarget, newScenario, threads, labels, thresholds, part, signer);
    }

    private Plan with(
            Scenario newScenario,
            int newThreads,
            Map<String, String> newLabels,
            List<Threshold> newThresholds,
            Part newPart,
            Optional<RequestSigner> newSigner) {
        return with(target, newScenario, newThreads, newLabels, newThresholds, newPart, newSigner);
    }

    private Plan with(
            Target newTarget,
            Scenario newScenario,
            int newThreads,
            Map<String, String> newLabels,
            List<Threshold> newThresholds,
            Part newPart,
            Optional<RequestSigner> newSigner) {
        return new Plan(
                name,
                newTarget,
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
     * Starts building a plan for a server.
     *
     * @param uri see {@link Target#uri()}
     * @return a builder with all defaults
     */
    public static PlanBuilder builder(URI uri) {
        return new PlanBuilder(uri);
    }
}
