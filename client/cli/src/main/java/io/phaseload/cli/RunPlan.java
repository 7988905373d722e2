package io.phaseload.cli;

import io.phaseload.engine.Engines;
import io.phaseload.engine.UserThreads;
import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Body;
import io.phaseload.plan.EngineSettings;
import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.ServerMetrics;
import io.phaseload.plan.Target;
import io.phaseload.plan.Threshold;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From the options of {@code run} to a plan.
 *
 * @param files the bodies of {@code @FILE}: one may be a pipe, and can be read only once
 */
record RunPlan(RunOptions options, Map<String, Body> files) implements PlanSource {

    private static final int MAX_THREADS = 1_000_000;
    private static final long MAX_ITERATIONS = 1_000_000_000;
    private static final int MAX_LOOPS = 1_024;
    private static final String TRANSPORTS = "io_uring, epoll or nio";
    private static final int DEFAULT_ITERATIONS = 100;

    RunPlan(RunOptions options) {
        this(options, new HashMap<>());
    }

    @Override
    public String target() {
        return options.target == null ? "tomcat" : options.target;
    }

    @Override
    public Optional<URI> url() throws UsageException {
        if (options.url == null) {
            return Optional.empty();
        }
        if (options.target != null) {
            throw new UsageException(
                    "--target " + options.target + ": expected no --url beside it");
        }
        return Optional.of(
                Checked.value(
                        "--url",
                        withoutUserInfo(options.url),
                        shown -> Target.of(URI.create(options.url)).uri(),
                        "http://host[:port]/path or https://…"));
    }

    @Override
    public Plan against(URI uri) throws UsageException {
        EngineSettings engine = engine();
        if (options.virtual && !UserThreads.virtualSupported()) {
            throw new UsageException(
                    "--virtual: needs Java 21 or newer, this is Java "
                            + Runtime.version().feature());
        }
        Checked.value(
                "--name", options.name, name -> Plan.builder(uri).name(name).build(), "a name");
        Plan.Builder plan =
                Plan.builder(uri)
                        .name(options.name)
                        .connectTimeout(
                                Checked.upToADay("--connect-timeout", options.connectTimeout))
                        .responseTimeout(Checked.upToADay("--timeout", options.timeout))
                        .insecure(options.insecure)
                        .threads((int) Checked.upTo(MAX_THREADS, "--threads", options.threads))
                        .engine(engine)
                        .virtualThreads(options.virtual)
                        .seed(options.seed)
                        .operations(new RequestList(options, files).operations())
                        .phases(phases());
        headers().forEach(plan::header);
        labels().forEach(plan::label);
        serverMetrics().ifPresent(plan::serverMetrics);
        return judged(Checked.engine("--engine " + options.engine, plan.build()));
    }

    /** The plan with the thresholds of the command line in place of its own. */
    Plan judged(Plan plan) throws UsageException {
        List<Threshold> thresholds = new ArrayList<>();
        for (String text : options.thresholds) {
            Threshold threshold =
                    Checked.value(
                            "--threshold", "'" + text + "'", shown -> Threshold.parse(text), "one");
            Checked.value(
                    "--threshold",
                    "'" + text + "'",
                    shown -> plan.withThresholds(List.of(threshold)),
                    "a phase and an operation of the plan");
            thresholds.add(threshold);
        }
        return plan.withThresholds(thresholds);
    }

    List<Header> headers() throws UsageException {
        List<Header> headers = new ArrayList<>();
        for (String header : options.headers) {
            headers.add(
                    Checked.value(
                            "--header",
                            // Not the value: it may be a secret.
                            header.strip().split("[:=\\s]", 2)[0],
                            shown -> Header.parse(header),
                            "one that the client doesn't set itself"));
        }
        return headers;
    }

    Map<String, String> labels() throws UsageException {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String label : options.labels) {
            int equals = label.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--label " + label + ": expected key=value");
            }
            labels.put(label.substring(0, equals), label.substring(equals + 1));
        }
        return labels;
    }

    Optional<ServerMetrics> serverMetrics() throws UsageException {
        return new ServerMetricsOptions(options).read();
    }

    private EngineSettings engine() throws UsageException {
        List<String> known = Engines.names();
        if (!known.contains(options.engine)) {
            throw new UsageException(
                    "--engine %s: expected %s"
                            .formatted(options.engine, String.join(" or ", known)));
        }
        EngineSettings engine = EngineSettings.of(options.engine);
        boolean threads = engine.equals(EngineSettings.THREADS);
        if (!threads && options.virtual) {
            throw new UsageException("--virtual: expected --engine threads beside it");
        }
        if (options.loops != null) {
            if (threads) {
                throw new UsageException(
                        "--loops " + options.loops + ": expected --engine events beside it");
            }
            engine = engine.withLoops((int) Checked.upTo(MAX_LOOPS, "--loops", options.loops));
        }
        if (options.transport != null) {
            if (threads) {
                throw new UsageException(
                        "--transport "
                                + options.transport
                                + ": expected --engine events beside it");
            }
            engine =
                    Checked.value(
                            "--transport", options.transport, engine::withTransport, TRANSPORTS);
        }
        return engine;
    }

    private Phase[] phases() throws UsageException {
        PhaseLength common = length();
        Load.Closed closed = closed();
        Optional<Rate> rate = rate();
        List<PhaseList.Item> items =
                Checked.value("--phases", options.phases, PhaseList::parse, "name=share,…");
        boolean open = rate.isPresent() || items.stream().anyMatch(item -> item.from() != null);
        checkKind("--arrivals", options.arrivals, "constant", "poisson", open);
        checkKind("--overload", options.overload, "queue", "drop", open);
        Optional<String> pause = pauseOption();
        if (pause.isPresent() && items.stream().allMatch(item -> item.from() != null)) {
            throw new UsageException(
                    "%s: expected a phase without 'at' beside it".formatted(pause.get()));
        }
        Phase[] phases = new Phase[items.size()];
        for (int i = 0; i < phases.length; i++) {
            PhaseList.Item item = items.get(i);
            PhaseLength length = item.length() == null ? common : item.length();
            Load load = closed;
            if (item.from() != null) {
                load = open(schedule(item, length, i));
            } else if (rate.isPresent()) {
                load = open(arrivals(shareOf(rate.get(), item), i));
            }
            phases[i] = new Phase(item.name(), item.share(), length, load);
        }
        return phases;
    }

    private PhaseLength length() throws UsageException {
        if (options.duration == null) {
            long count = options.iterations == null ? DEFAULT_ITERATIONS : options.iterations;
            return new PhaseLength.Iterations(Checked.upTo(MAX_ITERATIONS, "--iterations", count));
        }
        if (options.iterations != null) {
            throw new UsageException(
                    "--iterations " + options.iterations + ": expected no --duration beside it");
        }
        return new PhaseLength.Lasting(Checked.upToADay("--duration", options.duration));
    }

    private Load.Closed closed() throws UsageException {
        Pause think = pause("--think", options.think);
        Pause pacing = pause("--pacing", options.pacing);
        if (!think.isNone() && !pacing.isNone()) {
            throw new UsageException(
                    "--pacing " + options.pacing + ": expected no --think beside it");
        }
        Duration ramp =
                options.ramp == null ? Duration.ZERO : Checked.upToADay("--ramp", options.ramp);
        return new Load.Closed(think, pacing, ramp);
    }

    private Optional<Rate> rate() throws UsageException {
        if (options.rate == null) {
            return Optional.empty();
        }
        Optional<String> pause = pauseOption();
        if (pause.isPresent()) {
            throw new UsageException(
                    "--rate " + options.rate + ": expected no " + pause.get() + " beside it");
        }
        return Optional.of(Checked.value("--rate", options.rate, Rate::parse, "a rate"));
    }

    private Load.Open open(Schedule schedule) {
        return new Load.Open(
                schedule,
                "drop".equals(options.overload) ? Load.Overload.DROP : Load.Overload.QUEUE);
    }

    /** An option of closed models alone, if one is given. */
    private Optional<String> pauseOption() {
        if (options.think != null) {
            return Optional.of("--think");
        }
        if (options.pacing != null) {
            return Optional.of("--pacing");
        }
        return options.ramp != null ? Optional.of("--ramp") : Optional.empty();
    }

    /** What is said of an open model must be one of two words, and there must be an open model. */
    private static void checkKind(
            String option, String value, String usual, String other, boolean open)
            throws UsageException {
        if (value != null && !value.equals(usual) && !value.equals(other)) {
            throw new UsageException(
                    "%s %s: expected %s or %s".formatted(option, value, usual, other));
        }
        if (value != null && !open) {
            throw new UsageException(
                    "%s %s: expected --rate, or 'at' in --phases, beside it"
                            .formatted(option, value));
        }
    }

    private Rate shareOf(Rate rate, PhaseList.Item item) throws UsageException {
        try {
            return rate.times(item.share());
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--rate %s: expected a rate that can be multiplied by the share of %s"
                            .formatted(options.rate, item.name()));
        }
    }

    private Schedule schedule(PhaseList.Item item, PhaseLength length, int phase)
            throws UsageException {
        if (item.to() == null) {
            return arrivals(item.from(), phase);
        }
        if (!(length instanceof PhaseLength.Lasting timed)) {
            throw new UsageException(
                    "--phases %s: expected 'for' and a time beside the ramp of %s"
                            .formatted(options.phases, item.name()));
        }
        if (options.arrivals != null && !options.arrivals.equals("constant")) {
            throw new UsageException(
                    "--arrivals %s: expected constant beside the ramp of %s"
                            .formatted(options.arrivals, item.name()));
        }
        return new RampArrivals(item.from(), item.to(), timed.duration());
    }

    private Schedule arrivals(Rate rate, int phase) {
        return "poisson".equals(options.arrivals)
                // Each phase its own numbers.
                ? new PoissonArrivals(rate, options.seed * 31 + phase)
                : new ConstantArrivals(rate);
    }

    static String withoutUserInfo(String url) {
        // Up to the last @: where the password has one, or a slash, it isn't escaped.
        return url.replaceFirst("(?s)^([A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1…@");
    }

    private static Pause pause(String option, String text) throws UsageException {
        return text == null
                ? Pause.NONE
                : Checked.value(option, text, RunPlan::pause, "a time, or 100ms..300ms");
    }

    private static Pause pause(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return Pause.of(Quantities.parseDuration(text, true));
        }
        return new Pause(
                Quantities.parseDuration(text.substring(0, dots), true),
                Quantities.parseDuration(text.substring(dots + 2), true));
    }
}
