package io.phaseload.plan;

import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.connection.SocketBuffers;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.plan.share.Part;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds a plan, with the defaults of the command line. Not thread-safe. */
public final class PlanBuilder {

    /** The default of {@link Plan#name()}. */
    public static final String DEFAULT_NAME = "run";

    /** The default of {@link Plan#threads()}. */
    public static final int DEFAULT_THREADS = 10;

    /** The default length of each phase. */
    public static final PhaseLength.Iterations DEFAULT_LENGTH = new PhaseLength.Iterations(100);

    /** The default of {@link Plan#seed()}. */
    public static final long DEFAULT_SEED = 1;

    private String name = DEFAULT_NAME;
    private URI uri;
    private final List<Header> headers = new ArrayList<>();
    private Duration connectTimeout = Target.DEFAULT_TIMEOUT;
    private Duration responseTimeout = Target.DEFAULT_TIMEOUT;
    private boolean insecure;
    private TlsFiles tlsFiles = TlsFiles.NONE;
    private Route route = Route.DIRECT;
    private SocketBuffers buffers = SocketBuffers.OF_SYSTEM;
    private boolean resendIdle;
    private KeptDetails details = KeptDetails.NONE;
    private Scenario scenario = Scenario.getOnly();
    private int threads = DEFAULT_THREADS;
    private PhaseLength length = DEFAULT_LENGTH;
    private Optional<List<Phase>> phases = Optional.empty();
    private EngineSettings engine = EngineSettings.THREADS;
    private boolean virtualThreads;
    private long seed = DEFAULT_SEED;
    private final Map<String, String> labels = new LinkedHashMap<>();
    private Optional<ServerMetrics> serverMetrics = Optional.empty();
    private final List<Threshold> thresholds = new ArrayList<>();
    private Optional<Duration> untilDecided = Optional.empty();
    private final List<LoadChange> changes = new ArrayList<>();
    private Part part = Part.WHOLE;
    private Optional<RequestSigner> signer = Optional.empty();

    PlanBuilder(URI uri) {
        this.uri = uri;
    }

    PlanBuilder(Plan plan) {
        this(plan.target().uri());
        name = plan.name();
        target(plan.target());
        scenario = plan.scenario();
        threads = plan.threads();
        phases = Optional.of(plan.phases());
        engine = plan.engine();
        virtualThreads = plan.virtualThreads();
        seed = plan.seed();
        labels.putAll(plan.labels());
        serverMetrics = plan.serverMetrics();
        thresholds.addAll(plan.thresholds());
        untilDecided = plan.untilDecided();
        changes.addAll(plan.changes());
        part = plan.part();
        signer = plan.signer();
    }

    /** Sets {@link Plan#name()}; {@code run} by default. */
    public PlanBuilder name(String name) {
        this.name = name;
        return this;
    }

    /** Replaces the target, with its headers. */
    public PlanBuilder target(Target target) {
        uri = target.uri();
        headers.clear();
        headers.addAll(target.headers());
        connectTimeout = target.connectTimeout();
        responseTimeout = target.responseTimeout();
        insecure = target.insecure();
        tlsFiles = target.tlsFiles();
        route = target.route();
        buffers = target.buffers();
        resendIdle = target.resendIdle();
        details = target.details();
        return this;
    }

    /** Adds a header to every request. */
    public PlanBuilder header(Header header) {
        headers.add(header);
        return this;
    }

    /** Sets {@link Target#connectTimeout()}; 5 s by default. */
    public PlanBuilder connectTimeout(Duration timeout) {
        this.connectTimeout = timeout;
        return this;
    }

    /** Sets {@link Target#responseTimeout()}; 5 s by default. */
    public PlanBuilder responseTimeout(Duration timeout) {
        this.responseTimeout = timeout;
        return this;
    }

    /** Sets {@link Target#insecure()}; {@code false} by default. */
    public PlanBuilder insecure(boolean insecure) {
        this.insecure = insecure;
        return this;
    }

    /** Sets {@link Target#tlsFiles()}; {@link TlsFiles#NONE} by default. */
    public PlanBuilder tlsFiles(TlsFiles files) {
        this.tlsFiles = files;
        return this;
    }

    /** Sets {@link Target#route()}; {@link Route#DIRECT} by default. */
    public PlanBuilder route(Route route) {
        this.route = route;
        return this;
    }

    /** Sets {@link Target#resendIdle()}; {@code false} by default. */
    public PlanBuilder resendIdle(boolean resent) {
        this.resendIdle = resent;
        return this;
    }

    /** Sets {@link Target#details()}; {@link KeptDetails#NONE} by default. */
    public PlanBuilder details(KeptDetails details) {
        this.details = details;
        return this;
    }

    /** Sets {@link Target#buffers()}; {@link SocketBuffers#OF_SYSTEM} by default. */
    public PlanBuilder buffers(SocketBuffers buffers) {
        this.buffers = buffers;
        return this;
    }

    /**
     * Sets what one iteration sends, in order; {@code GET} of the URI itself by default.
     *
     * @throws IllegalArgumentException as {@link Scenario} does
     */
    public PlanBuilder operations(Operation... operations) {
        this.scenario = new Scenario(List.of(operations));
        return this;
    }

    /** Sets what one iteration sends, such as {@link Scenario#getThenPost()} for a target of Phaseload's own. */
    public PlanBuilder scenario(Scenario scenario) {
        this.scenario = scenario;
        return this;
    }

    /** Sets the number of users at the peak; 10 by default. */
    public PlanBuilder threads(int threads) {
        this.threads = threads;
        return this;
    }

    /**
     * Sets the length of each of the four default phases to this many iterations per user; 100 by default.
     *
     * @throws IllegalArgumentException if the number is out of range
     */
    public PlanBuilder iterations(long perUser) {
        this.length = new PhaseLength.Iterations(perUser);
        return this;
    }

    /**
     * Sets the length of each of the four default phases to this time, in place of iterations.
     *
     * @throws IllegalArgumentException if the duration is out of range
     */
    public PlanBuilder duration(Duration duration) {
        this.length = new PhaseLength.Lasting(duration);
        return this;
    }

    /** Replaces the four default phases; {@code iterations} and {@code duration} then have no effect. */
    public PlanBuilder phases(Phase... phases) {
        this.phases = Optional.of(List.of(phases));
        return this;
    }

    /** Chooses the engine; {@link EngineSettings#THREADS} by default. */
    public PlanBuilder engine(EngineSettings engine) {
        this.engine = engine;
        return this;
    }

    /** Sets whether users are virtual threads, which needs JDK 21 or later; {@code false} by default. */
    public PlanBuilder virtualThreads(boolean virtualThreads) {
        this.virtualThreads = virtualThreads;
        return this;
    }

    /** Sets the seed of all random numbers; 1 by default. */
    public PlanBuilder seed(long seed) {
        this.seed = seed;
        return this;
    }

    /** Adds a label to the result. */
    public PlanBuilder label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    /** Reads the target's own figures once a second, over a separate connection. */
    public PlanBuilder serverMetrics(ServerMetrics metrics) {
        this.serverMetrics = Optional.of(metrics);
        return this;
    }

    /** Adds a threshold, such as {@code Threshold.parse("peak: p99 < 250ms")}. */
    public PlanBuilder threshold(Threshold threshold) {
        thresholds.add(threshold);
        return this;
    }

    /** Replaces the thresholds. */
    public PlanBuilder thresholds(List<Threshold> others) {
        thresholds.clear();
        thresholds.addAll(others);
        return this;
    }

    /** Lets the last measured phase last longer while a threshold is undecided: see {@link Plan#untilDecided()}. */
    public PlanBuilder untilDecided(Duration most) {
        untilDecided = Optional.of(most);
        return this;
    }

    /** Adds a change of a phase's load while it runs. */
    public PlanBuilder change(LoadChange change) {
        changes.add(change);
        return this;
    }

    PlanBuilder changes(List<LoadChange> others) {
        changes.clear();
        changes.addAll(others);
        return this;
    }

    PlanBuilder part(Part share) {
        part = share;
        return this;
    }

    PlanBuilder signer(RequestSigner signs) {
        signer = Optional.of(signs);
        return this;
    }

    /**
     * Leaves out labels, servers' figures, thresholds, changes of load and other clients' parts, for a run that only
     * tries something.
     */
    public PlanBuilder bare() {
        labels.clear();
        serverMetrics = Optional.empty();
        thresholds.clear();
        part = Part.WHOLE;
        return asPlanned();
    }

    /** Leaves out changes of load, and ends phases as planned. */
    public PlanBuilder asPlanned() {
        untilDecided = Optional.empty();
        changes.clear();
        return this;
    }

    /**
     * Makes the plan.
     *
     * @return the plan
     * @throws IllegalArgumentException naming the first bad part, its value and what is allowed; also if the URI has a
     *     query that an operation with its own path would drop
     */
    public Plan build() {
        Plan plan = copy();
        plan.target().problem(plan.scenario()).ifPresent(problem -> {
            throw new IllegalArgumentException("url: " + problem);
        });
        return plan;
    }

    /** Of a plan that is made already: one that was run before may drop the query. */
    Plan copy() {
        Target target = new Target(
                uri, headers, connectTimeout, responseTimeout, insecure, tlsFiles, route, buffers, resendIdle, details);
        Scenario sent = engine.protocol() instanceof Protocol.WebSocket
                        && scenario.pairs().isEmpty()
                ? Scenario.messages()
                : scenario;
        return new Plan(
                name,
                target,
                sent,
                threads,
                phases.orElseGet(() -> Phase.fourPhases(length)),
                engine,
                virtualThreads,
                seed,
                labels,
                serverMetrics,
                thresholds,
                part,
                changes,
                untilDecided,
                signer);
    }
}
