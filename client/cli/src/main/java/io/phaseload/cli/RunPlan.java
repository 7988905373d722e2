package io.phaseload.cli;

import io.phaseload.engine.Engines;
import io.phaseload.engine.threads.UserThreads;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.EngineSettings;
import io.phaseload.plan.Header;
import io.phaseload.plan.Http2Windows;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Protocol;
import io.phaseload.plan.ServerMetrics;
import io.phaseload.plan.Target;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Secrets;
import io.phaseload.schedule.Rate;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * From the options of {@code run} to a plan.
 *
 * @param options of the command line, and of the file of {@code --plan} where that says nothing
 * @param source the file of {@code --plan}, if there is one
 * @param inputs what was read of files
 */
record RunPlan(RunOptions options, Optional<PlanOptions> source, Inputs inputs) {

    private static final int MAX_THREADS = 1_000_000;
    private static final int MAX_PIPELINE = 1_000;
    private static final int MAX_LOOPS = 1_024;
    private static final int MAX_STREAMS = 10_000;
    private static final String TRANSPORTS = "epoll or nio";

    RunPlan(RunOptions options) {
        this(options, Optional.empty(), new Inputs());
    }

    /** Reads a command line, and the file of {@code --plan} if it names one. */
    static RunPlan parse(String... arguments) throws UsageException {
        return parse(new Inputs(), arguments);
    }

    /** The same, with what was read before. */
    static RunPlan parse(Inputs inputs, String... line) throws UsageException {
        RunOptions options = new RunOptions();
        OptionParser parser = new OptionParser(options);
        String[] arguments = ForeignOptions.translate(line, parser);
        parser.parse(arguments);
        if (options.plan == null || options.help || options.briefHelp || options.version) {
            return new RunPlan(options, Optional.empty(), inputs);
        }
        Set<String> headers =
                new RunPlan(options)
                        .headers().stream()
                                .map(header -> header.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.toSet());
        PlanOptions source =
                new PlanOptions(PlanFile.read(options.plan, inputs), parser.given(), headers);
        RunOptions both = new RunOptions();
        source.fillIn(both);
        new OptionParser(both).parse(arguments);
        return new RunPlan(both, Optional.of(source), inputs);
    }

    /** The address to send to; empty if a target is to be started. */
    Optional<URI> url() throws UsageException {
        return explained(this::givenUrl);
    }

    /** What the run starts itself, where there is no address. */
    LocalTarget local() throws UsageException {
        return explained(
                () -> LocalTarget.of(options.target == null ? "tomcat" : options.target, options));
    }

    /** The plan against an address. */
    Plan against(URI uri) throws UsageException {
        return explained(() -> made(uri));
    }

    /** Something that is made of the options. */
    private interface Part<T> {
        T make() throws UsageException;
    }

    /** A mistake of the file's is told as such. */
    private <T> T explained(Part<T> part) throws UsageException {
        try {
            return part.make();
        } catch (UsageException e) {
            throw source.map(file -> file.explained(e)).orElse(e);
        } catch (IllegalArgumentException e) {
            throw source.orElseThrow(() -> e).file().failure(e.getMessage());
        }
    }

    private Optional<URI> givenUrl() throws UsageException {
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

    private Plan made(URI uri) throws UsageException {
        EngineSettings engine = engine();
        if (options.virtual && !UserThreads.virtualSupported()) {
            throw new UsageException(
                    "--virtual: needs Java 21 or newer, this is Java "
                            + Runtime.version().feature());
        }
        Operation[] operations = new RequestList(options, inputs).operations();
        for (Operation operation : operations) {
            checkQuery(Target.of(uri), operation.path(), operation.name());
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
                        .tlsFiles(new TlsOptions(options).files(uri))
                        .threads((int) Checked.upTo(MAX_THREADS, "--threads", options.threads))
                        .engine(engine)
                        .virtualThreads(options.virtual)
                        .seed(options.seed)
                        .operations(operations)
                        .phases(new PhasePlan(options, source.map(PlanOptions::given)).phases());
        headers().forEach(plan::header);
        labels().forEach(plan::label);
        serverMetrics().ifPresent(plan::serverMetrics);
        return judged(Checked.engine("--engine " + options.engine, plan.build()));
    }

    /** A query of the address that isn't sent would be missed later, if at all. */
    static void checkQuery(Target target, String path, String request) throws UsageException {
        if (target.dropsQuery(path)) {
            throw new UsageException(
                    "--url %s: expected no query beside %s, which has a path of its own: put it there"
                            .formatted(
                                    Secrets.redactQuery(target.uri().toString()),
                                    Secrets.redactQuery(request)));
        }
    }

    /** The plan with its thresholds. */
    private Plan judged(Plan plan) throws UsageException {
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

    /** The headers of all requests. */
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

    private Map<String, String> labels() throws UsageException {
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

    private Optional<ServerMetrics> serverMetrics() throws UsageException {
        return new ServerMetricsOptions(options).read();
    }

    private EngineSettings engine() throws UsageException {
        List<String> known = Engines.names();
        if (!known.contains(options.engine)) {
            throw new UsageException(
                    "--engine %s: expected %s"
                            .formatted(options.engine, String.join(" or ", known)));
        }
        EngineSettings.Builder engine = EngineSettings.builder(options.engine);
        boolean threads = options.engine.equals(EngineSettings.THREADS.name());
        if (!threads && options.virtual) {
            throw new UsageException("--virtual: expected --engine threads beside it");
        }
        if (options.loops != null) {
            expectEvents(threads, "--loops " + options.loops);
            engine.loops((int) Checked.upTo(MAX_LOOPS, "--loops", options.loops));
        }
        if (options.transport != null) {
            expectEvents(threads, "--transport " + options.transport);
            engine.transport(options.transport);
            Checked.value("--transport", options.transport, kind -> engine.build(), TRANSPORTS);
        }
        if (options.pipeline != null) {
            expectEvents(threads, "--pipeline " + options.pipeline);
            if (options.http2 && options.pipeline > 1) {
                throw new UsageException(
                        "--pipeline " + options.pipeline + ": expected no --http2 beside it");
            }
            engine.protocol(
                    new Protocol.Http1(
                            (int) Checked.upTo(MAX_PIPELINE, "--pipeline", options.pipeline)));
        }
        if (options.connectRate != null) {
            engine.connectRate(
                    Checked.value("--connect-rate", options.connectRate, Rate::parse, "a rate"));
        }
        http2(threads).ifPresent(engine::protocol);
        return engine.keepGoing(options.keepGoing).build();
    }

    private static void expectEvents(boolean threads, String option) throws UsageException {
        if (threads) {
            throw new UsageException(option + ": expected --engine events beside it");
        }
    }

    private Optional<Protocol> http2(boolean threads) throws UsageException {
        if (!options.http2) {
            if (options.streams != null) {
                throw new UsageException(
                        "--streams " + options.streams + ": expected --http2 beside it");
            }
            if (options.windows != null) {
                throw new UsageException(
                        "--windows " + options.windows + ": expected --http2 beside it");
            }
            return Optional.empty();
        }
        expectEvents(threads, "--http2");
        int streams =
                options.streams == null
                        ? 1
                        : (int) Checked.upTo(MAX_STREAMS, "--streams", options.streams);
        Http2Windows windows =
                options.windows == null
                        ? Http2Windows.DEFAULT
                        : Checked.value(
                                "--windows", options.windows, Http2Windows::parse, "two sizes");
        return Optional.of(new Protocol.Http2(streams, windows));
    }

    static String withoutUserInfo(String url) {
        // Up to the last @: where the password has one, or a slash, it isn't escaped.
        return url.replaceFirst("(?s)^([A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1…@");
    }
}
