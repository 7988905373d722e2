package io.phaseload.plan;

import io.phaseload.plan.check.Threshold;
import io.phaseload.settings.Args;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
        Optional<RequestSigner> signer) {

    /** The key of the label that tells how requests were signed. */
    public static final String SIGNED = "signed";

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Plan {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException(
                    "name '%s': expected letters, digits, '.', '-' and '_'".formatted(name));
        }
        Args.range("threads", threads, 1, 1_000_000);
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
        return with(scenario, threads, labels, others, signer);
    }

    /**
     * This plan for another number of users.
     *
     * @param count see {@link #threads()}
     * @return a copy
     * @throws IllegalArgumentException as the constructor does
     */
    public Plan withThreads(int count) {
        return with(scenario, count, labels, thresholds, signer);
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
     * A plan without a signer.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Plan(
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
            List<Threshold> thresholds) {
        this(
                name,
                target,
                scenario,
                threads,
                phases,
                engine,
                virtualThreads,
                seed,
                labels,
                serverMetrics,
                thresholds,
                Optional.empty());
    }

    /**
     * This plan with other operations.
     *
     * @param operations what one iteration sends, in order
     * @return a copy
     * @throws IllegalArgumentException as {@link Scenario} does
     */
    public Plan withOperations(List<Operation> operations) {
        return with(new Scenario(operations), threads, labels, thresholds, signer);
    }

    /**
     * This plan with its requests signed, and with a label that says how: {@link #SIGNED}.
     *
     * @param signer its text, which is the label's, has no secrets
     * @return the plan
     */
    public Plan signedBy(RequestSigner signer) {
        Map<String, String> more = new LinkedHashMap<>(labels);
        more.put(SIGNED, signer.toString());
        return with(scenario, threads, more, thresholds, Optional.of(signer));
    }

    private Plan with(
            Scenario newScenario,
            int newThreads,
            Map<String, String> newLabels,
            List<Threshold> newThresholds,
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
                newSigner);
    }

    /**
     * Begins a plan against a server.
     *
     * @param uri see {@link Target#uri()}
     * @return a builder with every default
     */
    public static Builder builder(URI uri) {
        return new Builder(uri);
    }

    /** Gathers the parts of a plan. Not thread-safe. */
    public static final class Builder {

        private String name = "run";
        private final URI uri;
        private final List<Header> headers = new ArrayList<>();
        private Duration connectTimeout = Target.DEFAULT_TIMEOUT;
        private Duration responseTimeout = Target.DEFAULT_TIMEOUT;
        private boolean insecure;
        private TlsFiles tlsFiles = TlsFiles.NONE;
        private Scenario scenario = Scenario.getOnly();
        private int threads = 10;
        private PhaseLength length = new PhaseLength.Iterations(100);
        private List<Phase> phases;
        private EngineSettings engine = EngineSettings.THREADS;
        private boolean virtualThreads;
        private long seed = 1;
        private final Map<String, String> labels = new LinkedHashMap<>();
        private ServerMetrics serverMetrics;
        private final List<Threshold> thresholds = new ArrayList<>();

        private Builder(URI uri) {
            this.uri = uri;
        }

        /**
         * Names the run.
         *
         * @param name {@code run} by default
         * @return this
         */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /**
         * Adds a header to every request.
         *
         * @param header the header
         * @return this
         */
        public Builder header(Header header) {
            headers.add(header);
            return this;
        }

        /**
         * Sets the limit for connecting.
         *
         * @param timeout see {@link Target#connectTimeout()}
         * @return this
         */
        public Builder connectTimeout(Duration timeout) {
            this.connectTimeout = timeout;
            return this;
        }

        /**
         * Sets the limit for a response.
         *
         * @param timeout see {@link Target#responseTimeout()}
         * @return this
         */
        public Builder responseTimeout(Duration timeout) {
            this.responseTimeout = timeout;
            return this;
        }

        /**
         * Turns the verification of certificates and host names off or on.
         *
         * @param insecure {@code false} by default
         * @return this
         */
        public Builder insecure(boolean insecure) {
            this.insecure = insecure;
            return this;
        }

        /**
         * Says whom to trust in place of the JVM's authorities, and who the client is.
         *
         * @param files {@link TlsFiles#NONE} by default
         * @return this
         */
        public Builder tlsFiles(TlsFiles files) {
            this.tlsFiles = files;
            return this;
        }

        /**
         * Sets what one iteration sends, in order.
         *
         * @param operations {@code GET /}, which is the URI itself, by default
         * @return this
         * @throws IllegalArgumentException as {@link Scenario} does
         */
        public Builder operations(Operation... operations) {
            this.scenario = new Scenario(List.of(operations));
            return this;
        }

        /**
         * Sets what one iteration sends.
         *
         * @param scenario such as {@link Scenario#getThenPost()}, for a target of Phaseload's own
         * @return this
         */
        public Builder scenario(Scenario scenario) {
            this.scenario = scenario;
            return this;
        }

        /**
         * Sets the number of users at the peak.
         *
         * @param threads 10 by default
         * @return this
         */
        public Builder threads(int threads) {
            this.threads = threads;
            return this;
        }

        /**
         * Makes each of the four default phases this many iterations a user.
         *
         * @param perUser 100 by default
         * @return this
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder iterations(long perUser) {
            this.length = new PhaseLength.Iterations(perUser);
            return this;
        }

        /**
         * Makes each of the four default phases last this long.
         *
         * @param duration in place of iterations
         * @return this
         * @throws IllegalArgumentException if the duration is out of range
         */
        public Builder duration(Duration duration) {
            this.length = new PhaseLength.Lasting(duration);
            return this;
        }

        /**
         * Replaces the four default phases, and with them {@code iterations} and {@code duration}.
         *
         * @param phases in order
         * @return this
         */
        public Builder phases(Phase... phases) {
            this.phases = List.of(phases);
            return this;
        }

        /**
         * Chooses what runs the users.
         *
         * @param engine {@link EngineSettings#THREADS} by default
         * @return this
         */
        public Builder engine(EngineSettings engine) {
            this.engine = engine;
            return this;
        }

        /**
         * Runs users on virtual threads.
         *
         * @param virtualThreads {@code false} by default; needs JDK 21
         * @return this
         */
        public Builder virtualThreads(boolean virtualThreads) {
            this.virtualThreads = virtualThreads;
            return this;
        }

        /**
         * Sets the seed of all random numbers.
         *
         * @param seed 1 by default
         * @return this
         */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /**
         * Adds a label to the result.
         *
         * @param key the label's name
         * @param value its text
         * @return this
         */
        public Builder label(String key, String value) {
            labels.put(key, value);
            return this;
        }

        /**
         * Has the target asked for its own figures once a second, over a connection of its own.
         *
         * @param metrics nobody is asked by default
         * @return this
         */
        public Builder serverMetrics(ServerMetrics metrics) {
            this.serverMetrics = metrics;
            return this;
        }

        /**
         * Adds what must hold for the run to pass.
         *
         * @param threshold such as {@code Threshold.parse("peak: p99 < 250ms")}
         * @return this
         */
        public Builder threshold(Threshold threshold) {
            thresholds.add(threshold);
            return this;
        }

        /**
         * Makes the plan.
         *
         * @return the plan
         * @throws IllegalArgumentException naming the first bad part, its value and what is
         *     allowed; a URI's query is not, where an operation with a path of its own would drop
         *     it
         */
        public Plan build() {
            Target target =
                    new Target(uri, headers, connectTimeout, responseTimeout, insecure, tlsFiles);
            for (Operation operation : scenario.operations()) {
                if (target.dropsQuery(operation.path())) {
                    throw new IllegalArgumentException(
                            "url: expected no query beside %s, which has a path of its own"
                                    .formatted(operation.name()));
                }
            }
            return new Plan(
                    name,
                    target,
                    scenario,
                    threads,
                    phases == null ? Phase.fourPhases(length) : phases,
                    engine,
                    virtualThreads,
                    seed,
                    labels,
                    Optional.ofNullable(serverMetrics),
                    thresholds);
        }
    }
}
