package io.phaseload.plan;

import static io.phaseload.settings.Setting.CONNECT_TIMEOUT;
import static io.phaseload.settings.Setting.ITERATIONS;
import static io.phaseload.settings.Setting.NAME;
import static io.phaseload.settings.Setting.RESPONSE_TIMEOUT;
import static io.phaseload.settings.Setting.SEED;
import static io.phaseload.settings.Setting.THREADS;

import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.engine.EngineForm;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.settings.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gathers the parts of a plan; its defaults are those of settings. Not thread-safe. */
public final class PlanBuilder {

    private String name = Settings.NONE.text(NAME);
    private final URI uri;
    private final List<Header> headers = new ArrayList<>();
    private Duration connectTimeout = Settings.NONE.time(CONNECT_TIMEOUT);
    private Duration responseTimeout = Settings.NONE.time(RESPONSE_TIMEOUT);
    private boolean insecure;
    private TlsFiles tlsFiles = TlsFiles.NONE;
    private Scenario scenario = Scenario.getOnly();
    private int threads = (int) Settings.NONE.count(THREADS);
    private PhaseLength length = new PhaseLength.Iterations(Settings.NONE.count(ITERATIONS));
    private Optional<List<Phase>> phases = Optional.empty();
    private EngineSettings engine = EngineForm.read(Settings.NONE);
    private boolean virtualThreads;
    private long seed = Settings.NONE.count(SEED);
    private final Map<String, String> labels = new LinkedHashMap<>();
    private Optional<ServerMetrics> serverMetrics = Optional.empty();
    private final List<Threshold> thresholds = new ArrayList<>();

    PlanBuilder(URI uri) {
        this.uri = uri;
    }

    /**
     * Names the run.
     *
     * @param name {@code run} by default
     * @return this
     */
    public PlanBuilder name(String name) {
        this.name = name;
        return this;
    }

    /**
     * Adds a header to every request.
     *
     * @param header the header
     * @return this
     */
    public PlanBuilder header(Header header) {
        headers.add(header);
        return this;
    }

    /**
     * Sets the limit for connecting.
     *
     * @param timeout see {@link Target#connectTimeout()}
     * @return this
     */
    public PlanBuilder connectTimeout(Duration timeout) {
        this.connectTimeout = timeout;
        return this;
    }

    /**
     * Sets the limit for a response.
     *
     * @param timeout see {@link Target#responseTimeout()}
     * @return this
     */
    public PlanBuilder responseTimeout(Duration timeout) {
        this.responseTimeout = timeout;
        return this;
    }

    /**
     * Turns the verification of certificates and host names off or on.
     *
     * @param insecure {@code false} by default
     * @return this
     */
    public PlanBuilder insecure(boolean insecure) {
        this.insecure = insecure;
        return this;
    }

    /**
     * Says whom to trust in place of the JVM's authorities, and who the client is.
     *
     * @param files {@link TlsFiles#NONE} by default
     * @return this
     */
    public PlanBuilder tlsFiles(TlsFiles files) {
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
    public PlanBuilder operations(Operation... operations) {
        this.scenario = new Scenario(List.of(operations));
        return this;
    }

    /**
     * Sets what one iteration sends.
     *
     * @param scenario such as {@link Scenario#getThenPost()}, for a target of Phaseload's own
     * @return this
     */
    public PlanBuilder scenario(Scenario scenario) {
        this.scenario = scenario;
        return this;
    }

    /**
     * Sets the number of users at the peak.
     *
     * @param threads 10 by default
     * @return this
     */
    public PlanBuilder threads(int threads) {
        this.threads = threads;
        return this;
    }

    /**
     * Makes each of the four default phases this many iterations per user.
     *
     * @param perUser 100 by default
     * @return this
     * @throws IllegalArgumentException if the number is out of range
     */
    public PlanBuilder iterations(long perUser) {
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
    public PlanBuilder duration(Duration duration) {
        this.length = new PhaseLength.Lasting(duration);
        return this;
    }

    /**
     * Replaces the four default phases, and with them {@code iterations} and {@code duration}.
     *
     * @param phases in order
     * @return this
     */
    public PlanBuilder phases(Phase... phases) {
        this.phases = Optional.of(List.of(phases));
        return this;
    }

    /**
     * Chooses what runs the users.
     *
     * @param engine {@link EngineSettings#THREADS} by default
     * @return this
     */
    public PlanBuilder engine(EngineSettings engine) {
        this.engine = engine;
        return this;
    }

    /**
     * Runs users on virtual threads.
     *
     * @param virtualThreads {@code false} by default; needs JDK 21
     * @return this
     */
    public PlanBuilder virtualThreads(boolean virtualThreads) {
        this.virtualThreads = virtualThreads;
        return this;
    }

    /**
     * Sets the seed of all random numbers.
     *
     * @param seed 1 by default
     * @return this
     */
    public PlanBuilder seed(long seed) {
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
    public PlanBuilder label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    /**
     * Has the target asked for its own figures once a second, over a connection of its own.
     *
     * @param metrics none by default
     * @return this
     */
    public PlanBuilder serverMetrics(ServerMetrics metrics) {
        this.serverMetrics = Optional.of(metrics);
        return this;
    }

    /**
     * Adds what must hold for the run to pass.
     *
     * @param threshold such as {@code Threshold.parse("peak: p99 < 250ms")}
     * @return this
     */
    public PlanBuilder threshold(Threshold threshold) {
        thresholds.add(threshold);
        return this;
    }

    /**
     * Makes the plan.
     *
     * @return the plan
     * @throws IllegalArgumentException naming the first bad part, its value and what is allowed; a
     *     URI's query is not, where an operation with a path of its own would drop it
     */
    public Plan build() {
        Target target =
                new Target(uri, headers, connectTimeout, responseTimeout, insecure, tlsFiles);
        for (Operation operation : scenario.operations()) {
            if (target.dropsQuery(operation.path())) {
                throw new IllegalArgumentException(
                        "url: its query would not be sent with %s, which has a path of its own"
                                .formatted(operation.name()));
            }
        }
        return new Plan(
                name,
                target,
                scenario,
                threads,
                phases.orElseGet(() -> Phase.fourPhases(length)),
                engine,
                virtualThreads,
                seed,
                labels,
                serverMetrics,
                thresholds,
                Optional.empty());
    }
}
