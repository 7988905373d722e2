package io.phaseload.result.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.plan.Body;
import io.phaseload.plan.EngineSettings;
import io.phaseload.plan.Header;
import io.phaseload.plan.Http2Windows;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Protocol;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.ServerMetrics;
import io.phaseload.plan.Target;
import io.phaseload.plan.TlsFiles;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Secrets;
import io.phaseload.schedule.Rate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The JSON form of a plan, without its secrets. What isn't set is left out; of a plan that is read,
 * it has the default that it has in {@link Plan.Builder}.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record PlanJson(
        String name,
        TargetJson target,
        List<OperationJson> operations,
        Integer threads,
        List<PhaseJson> phases,
        EngineJson engine,
        boolean virtualThreads,
        Long seed,
        Map<String, String> labels,
        ServerMetricsJson serverMetrics,
        List<String> thresholds) {

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record TargetJson(
            String url,
            List<Header> headers,
            Double connectTimeoutMs,
            Double responseTimeoutMs,
            boolean insecure,
            String cacert,
            String cert,
            String key) {

        static TargetJson of(Target target) {
            return new TargetJson(
                    Secrets.redactQuery(target.uri().toString()),
                    target.headers().stream().map(Secrets::redact).toList(),
                    millis(target.connectTimeout()),
                    millis(target.responseTimeout()),
                    target.insecure(),
                    target.tlsFiles().authorities().map(Path::toString).orElse(null),
                    target.tlsFiles().certificate().map(Path::toString).orElse(null),
                    target.tlsFiles().key().map(Path::toString).orElse(null));
        }

        Target toTarget() {
            return new Target(
                    URI.create(url),
                    orEmpty(headers),
                    or(connectTimeoutMs, PlanJson::duration, Target.DEFAULT_TIMEOUT),
                    or(responseTimeoutMs, PlanJson::duration, Target.DEFAULT_TIMEOUT),
                    insecure,
                    new TlsFiles(
                            Optional.ofNullable(cacert).map(Path::of),
                            Optional.ofNullable(cert).map(Path::of),
                            Optional.ofNullable(key).map(Path::of)));
        }
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record OperationJson(
            String name,
            String method,
            String path,
            List<Header> headers,
            String body,
            String bodyBase64,
            List<String> checks,
            List<String> metrics) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record PhaseJson(
            String name, double share, Long iterations, Double durationMs, LoadJson load) {}

    /** A plan from before there were several has none. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record EngineJson(
            String name,
            Integer loops,
            String transport,
            String connectRate,
            Boolean http2,
            Integer streams,
            Integer pipeline,
            String windows,
            Boolean keepGoing) {

        static EngineJson of(EngineSettings settings) {
            Protocol.Http2 http2 =
                    settings.protocol() instanceof Protocol.Http2 chosen ? chosen : null;
            boolean pipelined = http2 == null && settings.protocol().usersPerConnection() > 1;
            boolean wide = http2 == null || http2.windows().equals(Http2Windows.DEFAULT);
            return new EngineJson(
                    settings.name(),
                    settings.loops().isPresent() ? settings.loops().getAsInt() : null,
                    settings.transport().orElse(null),
                    settings.connectRate().map(Rate::toString).orElse(null),
                    http2 == null ? null : true,
                    http2 == null ? null : http2.streams(),
                    pipelined ? settings.protocol().usersPerConnection() : null,
                    wide ? null : http2.windows().toString(),
                    settings.keepGoing() ? true : null);
        }

        EngineSettings toSettings() {
            return new EngineSettings(
                    name,
                    protocol(),
                    loops == null ? OptionalInt.empty() : OptionalInt.of(loops),
                    Optional.ofNullable(transport),
                    Optional.ofNullable(connectRate).map(Rate::parse),
                    Boolean.TRUE.equals(keepGoing));
        }

        private Protocol protocol() {
            if (streams == null) {
                return new Protocol.Http1(pipeline == null ? 1 : pipeline);
            }
            return new Protocol.Http2(
                    streams, windows == null ? Http2Windows.DEFAULT : Http2Windows.parse(windows));
        }
    }

    /** Without metrics it is a target's own page. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record ServerMetricsJson(String url, Map<String, String> metrics) {

        static ServerMetricsJson of(ServerMetrics metrics) {
            Map<String, String> choices = new LinkedHashMap<>();
            metrics.choices().forEach((name, choice) -> choices.put(name, choice.toString()));
            return new ServerMetricsJson(Secrets.redactQuery(metrics.uri().toString()), choices);
        }

        ServerMetrics toServerMetrics() {
            Map<String, ServerMetrics.Choice> choices = new LinkedHashMap<>();
            if (metrics != null) {
                metrics.forEach(
                        (name, text) -> choices.put(name, ServerMetrics.Choice.parse(text)));
            }
            return new ServerMetrics(URI.create(url), choices);
        }
    }

    /** A time that varies is a pair of its least and its most. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record LoadJson(
            String model,
            List<Double> thinkMs,
            List<Double> pacingMs,
            Double rampMs,
            ArrivalsJson arrivals,
            String overload) {}

    /**
     * The plan that this was made of, but for its secrets.
     *
     * @throws IllegalArgumentException if it isn't a plan
     */
    Plan toPlan() {
        if (target == null || target.url() == null) {
            throw new IllegalArgumentException("target: expected one with a url");
        }
        Target to = target.toTarget();
        Plan defaults = Plan.builder(to.uri()).build();
        return new Plan(
                name == null ? defaults.name() : name,
                to,
                or(operations, PlanJson::toScenario, defaults.scenario()),
                threads == null ? defaults.threads() : threads,
                or(phases, PlanJson::toPhases, defaults.phases()),
                or(engine, EngineJson::toSettings, defaults.engine()),
                virtualThreads,
                seed == null ? defaults.seed() : seed,
                labels == null ? Map.of() : labels,
                Optional.ofNullable(serverMetrics).map(ServerMetricsJson::toServerMetrics),
                orEmpty(thresholds).stream().map(PlanJson::toThreshold).toList());
    }

    private static Threshold toThreshold(String text) {
        try {
            return Threshold.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("threshold '" + text + "': " + e.getMessage(), e);
        }
    }

    private static <T, R> R or(T json, Function<T, R> form, R absent) {
        return json == null ? absent : form.apply(json);
    }

    private static Scenario toScenario(List<OperationJson> operations) {
        return new Scenario(operations.stream().map(PlanJson::toOperation).toList());
    }

    private static List<Phase> toPhases(List<PhaseJson> phases) {
        return phases.stream().map(PlanJson::toPhase).toList();
    }

    static Operation toOperation(OperationJson json) {
        Optional<Body> body = Optional.ofNullable(json.body()).map(Body::ofText);
        if (json.bodyBase64() != null) {
            body = Optional.of(Body.ofBytes(Base64.getDecoder().decode(json.bodyBase64())));
        }
        return new Operation(
                json.name() == null ? json.method() + " " + json.path() : json.name(),
                json.method(),
                json.path(),
                orEmpty(json.headers()),
                body,
                orEmpty(json.checks()).stream().map(PlanJson::toCheck).toList(),
                orEmpty(json.metrics()).stream().map(Metric::parse).toList());
    }

    private static Check toCheck(String text) {
        if (text.startsWith("status=")) {
            return Check.StatusIs.parse(text.substring("status=".length()));
        }
        if (text.startsWith("body~'") && text.endsWith("'")) {
            return new Check.BodyContains(text.substring("body~'".length(), text.length() - 1));
        }
        throw new IllegalArgumentException("check " + text + ": expected status=… or body~'…'");
    }

    private static Phase toPhase(PhaseJson json) {
        return new Phase(
                json.name(),
                json.share(),
                toLength(json),
                json.load() == null ? Load.Closed.AT_ONCE : toLoad(json.load()));
    }

    private static PhaseLength toLength(PhaseJson json) {
        if ((json.iterations() == null) == (json.durationMs() == null)) {
            throw new IllegalArgumentException(
                    "phase %s: expected either iterations or durationMs".formatted(json.name()));
        }
        return json.iterations() != null
                ? new PhaseLength.Iterations(json.iterations())
                : new PhaseLength.Lasting(duration(json.durationMs()));
    }

    static Load toLoad(LoadJson json) {
        if (json.model().equals("open")) {
            return new Load.Open(
                    json.arrivals().toSchedule(),
                    Load.Overload.valueOf(json.overload().toUpperCase(Locale.ROOT)));
        }
        return new Load.Closed(
                toPause(json.thinkMs()),
                toPause(json.pacingMs()),
                json.rampMs() == null ? Duration.ZERO : duration(json.rampMs()));
    }

    private static Pause toPause(List<Double> minAndMax) {
        return minAndMax == null
                ? Pause.NONE
                : new Pause(duration(minAndMax.get(0)), duration(minAndMax.get(1)));
    }

    private static <T> List<T> orEmpty(List<T> values) {
        return values == null ? List.of() : values;
    }

    static PlanJson of(Plan plan) {
        return new PlanJson(
                plan.name(),
                TargetJson.of(plan.target()),
                operations(plan.scenario().operations()),
                plan.threads(),
                plan.phases().stream().map(PlanJson::phase).toList(),
                EngineJson.of(plan.engine()),
                plan.virtualThreads(),
                plan.seed(),
                plan.labels(),
                plan.serverMetrics().map(ServerMetricsJson::of).orElse(null),
                Secrets.redactThresholds(plan).stream().map(Threshold::toString).toList());
    }

    private static List<OperationJson> operations(List<Operation> operations) {
        List<String> names = Secrets.redactNames(operations);
        return IntStream.range(0, names.size())
                .mapToObj(i -> operation(names.get(i), operations.get(i)))
                .toList();
    }

    private static OperationJson operation(String name, Operation operation) {
        String text = operation.body().flatMap(Body::text).orElse(null);
        String base64 =
                text != null || operation.body().isEmpty()
                        ? null
                        : Base64.getEncoder().encodeToString(operation.body().get().bytes());
        return new OperationJson(
                name,
                operation.method(),
                Secrets.redactQuery(operation.path()),
                operation.headers().stream().map(Secrets::redact).toList(),
                text,
                base64,
                operation.checks().stream().map(Check::toString).toList(),
                operation.metrics().stream().map(Metric::toString).toList());
    }

    private static PhaseJson phase(Phase phase) {
        return new PhaseJson(
                phase.name(),
                phase.share(),
                phase.length() instanceof PhaseLength.Iterations counted ? counted.perUser() : null,
                phase.length() instanceof PhaseLength.Lasting timed
                        ? millis(timed.duration())
                        : null,
                load(phase.load()));
    }

    private static LoadJson load(Load load) {
        if (load instanceof Load.Open open) {
            return new LoadJson(
                    "open",
                    null,
                    null,
                    null,
                    ArrivalsJson.of(open.schedule()),
                    open.overload().name().toLowerCase(Locale.ROOT));
        }
        Load.Closed closed = (Load.Closed) load;
        return new LoadJson(
                "closed",
                pause(closed.think()),
                pause(closed.pacing()),
                closed.ramp().isZero() ? null : millis(closed.ramp()),
                null,
                null);
    }

    private static List<Double> pause(Pause pause) {
        return pause.isNone() ? null : List.of(millis(pause.min()), millis(pause.max()));
    }

    static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    static Duration duration(double millis) {
        return Duration.ofNanos(Math.round(millis * 1e6));
    }
}
