package io.phaseload.planfile;

import io.phaseload.input.Args;
import io.phaseload.plan.Body;
import io.phaseload.plan.LoadChange;
import io.phaseload.plan.Operation;
import io.phaseload.plan.PairProtocol;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Target;
import io.phaseload.plan.check.Threshold;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.connection.SocketBuffers;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.share.Part;
import io.phaseload.planfile.phases.PhaseForm;
import io.phaseload.planfile.phases.ScheduleForm;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a plan from settings, and writes it as the document that files and {@code result.json} hold. A document has no
 * secrets, and no keys for what isn't set.
 */
final class PlanDocument {

    private final Settings settings;
    private final boolean toRun;

    private PlanDocument(Settings settings, boolean toRun) {
        this.settings = settings;
        this.toRun = toRun;
    }

    /**
     * The plan of a past run, with {@code [redacted]} in place of its secrets.
     *
     * @param json as {@code result.json} keeps it
     * @return a plan to look at, not to run
     * @throws SettingsException naming what isn't allowed
     */
    static Plan ofResult(String json) {
        return new PlanDocument(SettingsFile.ofResult(json), false).plan(Optional.empty());
    }

    /**
     * Makes a plan of settings.
     *
     * @param settings of a command line, a file or both
     * @param started the address of a target that was started for it, in place of a {@code url}
     * @return the plan; the caller adds the signer, if there is one
     * @throws SettingsException naming what isn't allowed, and where it was written
     */
    static Plan of(Settings settings, Optional<URI> started) {
        return new PlanDocument(PairsForm.resolved(settings), true).plan(started);
    }

    private Plan plan(Optional<URI> started) {
        EngineSettings engine = EngineForm.read(settings);
        HeaderForm headers = new HeaderForm(settings, toRun);
        SessionForm session = SessionForm.of(settings);
        Target target = session.target(target(started, headers));
        Scenario scenario = scenario(engine, headers, session);
        if (toRun) {
            checkQuery(target, scenario);
        }
        List<Phase> phases = PhaseForm.read(settings);
        if (engine.protocol() instanceof Protocol.WebSocket) {
            MessagesForm.check(settings, target, phases);
        }
        session.check(scenario, phases);
        EventStreamForm.check(scenario, engine);
        for (String secret : List.of("client.credentials", "client.bearerToken", "client.proxy")) {
            settings.one(secret).ifPresent(given -> headers.checkSecret(given, given.text()));
        }
        settings.read(Setting.NAME, Plan::checkName);
        Plan plan = checked(() -> new Plan(
                settings.text(Setting.NAME),
                target,
                scenario,
                (int) settings.count(Setting.THREADS),
                phases,
                engine,
                settings.flag("virtualThreads"),
                settings.count(Setting.SEED),
                labels(),
                ServerMetricsForm.read(settings, headers),
                List.of(),
                settings.read("part", Part::parse).orElse(Part.WHOLE),
                List.of(),
                Optional.empty(),
                Optional.empty()));
        Plan judged = plan.withThresholds(fitting("thresholds", Threshold::parse, "one", plan::withThresholds))
                .withChanges(fitting("changes", LoadChange::parse, Setting.expected("changes"), plan::withChanges));
        return settings.has("untilDecided")
                ? checked(() -> judged.untilDecided(settings.time("untilDecided")))
                : judged;
    }

    /** The values of a list, each of which has to fit the plan alone. */
    private <T> List<T> fitting(
            String setting, Function<String, T> parse, String expected, Function<List<T>, Plan> with) {
        List<T> values = new ArrayList<>();
        for (Given given : settings.all(setting)) {
            T value = given.read(parse, expected);
            given.read(text -> with.apply(List.of(value)), "a phase of the plan");
            values.add(value);
        }
        return values;
    }

    private Scenario scenario(EngineSettings engine, HeaderForm headers, SessionForm session) {
        Scenario scenario = JourneyForm.read(settings, headers, session.rules())
                .orElseGet(() -> session.scenario(OperationForm.read(settings, headers)));
        return engine.protocol() instanceof Protocol.WebSocket
                ? MessagesForm.read(settings, scenario, new PairsForm(settings, headers))
                : scenario;
    }

    private static Plan checked(Supplier<Plan> plan) {
        try {
            return plan.get();
        } catch (IllegalArgumentException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    private Target target(Optional<URI> started, HeaderForm headers) {
        URI uri = started.orElseGet(() -> url(headers));
        for (String files : List.of("target.cacert", "target.cert")) {
            if (settings.has(files) && !Target.of(uri).tls()) {
                throw settings.given(files).needs("an address that begins with https://, wss:// or mqtts://");
            }
        }
        return RouteForm.read(
                settings,
                new Target(
                                uri,
                                headers.ofTarget(),
                                settings.time("target.connectTimeout"),
                                settings.time("target.responseTimeout"),
                                settings.flag("target.insecure"),
                                new TlsFiles(path("target.cacert"), path("target.cert"), path("target.key")))
                        .withBuffers(new SocketBuffers(
                                settings.number("target.receiveBuffer"), settings.number("target.sendBuffer")))
                        .withResendIdle(settings.flag("target.resendIdle"))
                        .withDetails(DetailsForm.read(settings)));
    }

    private URI url(HeaderForm headers) {
        Given url = settings.one(Setting.URL).orElseThrow(() -> new SettingsException("target: expected a url"));
        headers.checkSecret(url, url.text());
        return url.read(Target::parse, Setting.expected(Setting.URL)).uri();
    }

    private Optional<Path> path(String file) {
        return settings.one(file).map(Given::file);
    }

    private void checkQuery(Target target, Scenario scenario) {
        target.problem(scenario).ifPresent(problem -> {
            throw settings.given(Setting.URL).withoutSecrets().wrong(problem);
        });
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        for (Given given : settings.all("labels")) {
            Map.Entry<String, String> label = given.entry('=', Setting.expected("labels"));
            labels.put(label.getKey(), label.getValue());
            if (toRun
                    && given.origin().isFile()
                    && label.getKey().equals(Plan.SIGNED)
                    && !settings.has(Setting.AWS_SIGV4)) {
                throw given.wrong("its requests were signed: sign them with --aws-sigv4, or remove the label"
                        + " and sign the plan with Plan.signedBy");
            }
        }
        return labels;
    }

    /** Refuses what only the command line can do. */
    static void checkRunnable(Settings settings) {
        if (settings.has(Setting.TARGET)) {
            throw settings.given(Setting.TARGET).wrong("expected a url: only the command line starts targets");
        }
        if (settings.has(Setting.AWS_SIGV4)) {
            throw settings.given(Setting.AWS_SIGV4).wrong("the library can't sign by this; use Plan.signedBy");
        }
    }

    /**
     * A plan as {@code result.json} keeps it.
     *
     * @param plan any
     * @return without secrets
     */
    static ObjectNode of(Plan plan) {
        return of(plan, false);
    }

    private static ObjectNode of(Plan plan, boolean secrets) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", plan.name())
                .set("target", write(plan.target(), plan.scenario().journeys().isPresent(), secrets));
        List<Operation> operations = plan.scenario().operations();
        List<String> names =
                secrets ? operations.stream().map(Operation::name).toList() : Operation.namesInResult(operations);
        if (plan.scenario().journeys().isPresent()) {
            JourneyForm.write(json, plan.scenario(), names, secrets);
        } else {
            for (int i = 0; i < names.size(); i++) {
                ObjectNode own = OperationForm.write(names.get(i), operations.get(i), false, secrets);
                if (!plan.scenario().weights().isEmpty()) {
                    own.put("weight", plan.scenario().weights().get(i));
                }
                json.withArray("operations").add(own);
            }
        }
        plan.scenario()
                .pairs()
                .filter(protocol -> !protocol.equals(PairProtocol.RAW))
                .ifPresent(protocol -> PairsForm.write(json, protocol, secrets));
        json.put("threads", plan.threads());
        plan.phases().forEach(phase -> json.withArray("phases").add(PhaseForm.write(phase)));
        json.set("engine", EngineForm.write(plan.engine()));
        plan.engine().client().ifPresent(any -> json.set("client", HttpClientForm.write(any, secrets)));
        RouteForm.write(json, plan.target(), secrets);
        json.put("virtualThreads", plan.virtualThreads());
        json.put("seed", plan.seed());
        if (!plan.part().isWhole()) {
            json.put("part", plan.part().toString());
        }
        plan.labels().forEach((key, value) -> json.withObject("labels").put(key, value));
        plan.serverMetrics().ifPresent(metrics -> json.set("serverMetrics", ServerMetricsForm.write(metrics, secrets)));
        (secrets ? plan.thresholds() : plan.thresholdsInResult())
                .forEach(threshold -> json.withArray("thresholds").add(threshold.toString()));
        plan.untilDecided().ifPresent(most -> json.put("untilDecidedMs", ScheduleForm.millis(most)));
        plan.changes().forEach(change -> json.withArray("changes").add(change.toString()));
        return json;
    }

    /**
     * A plan as a file has it: reading it again gives the same plan but for its secrets.
     *
     * @param plan any
     * @return without secrets
     * @throws IllegalArgumentException naming a part of the plan that a file can't have: a negative seed, or a text
     *     that would be refused, such as <code>${NAME}</code>
     */
    static ObjectNode file(Plan plan) {
        Args.range(
                "seed",
                plan.seed(),
                Setting.of(Setting.SEED).kind().least(),
                Setting.of(Setting.SEED).kind().most());
        ObjectNode json = of(plan);
        json.path("operations").forEach(PlanDocument::keepBody);
        SettingsFile.check(json.toString());
        return json;
    }

    /**
     * A plan with its secrets, for a client that runs a part of it; not to be kept.
     *
     * @param plan any; its signer isn't part of the document
     * @return the document that {@link #ofShared} reads
     * @throws IllegalArgumentException if a step is code
     */
    static ObjectNode shared(Plan plan) {
        return of(plan, true);
    }

    /**
     * The plan that another client sent.
     *
     * @param json see {@link #shared}
     * @return the plan; its {@link Plan#files()} are of the client that sent it
     * @throws SettingsException naming what isn't allowed, such as a socket of this machine
     */
    static Plan ofShared(JsonNode json) {
        checkBodies(json.path("operations"));
        json.path("scenarios").forEach(journey -> checkBodies(journey.path("steps")));
        Plan plan = ofResult(json.toString());
        if (plan.target().route() instanceof Route.UnixSocket) {
            throw notSent("unixSocket");
        }
        return plan;
    }

    /** Files that are read with the plan are read on the machine that makes it. */
    private static void checkBodies(JsonNode requests) {
        for (JsonNode request : requests) {
            for (String files : List.of("bodyFile", "multipart")) {
                if (request.has(files)) {
                    throw notSent(files);
                }
            }
            checkBodies(request.path("steps"));
        }
    }

    private static SettingsException notSent(String key) {
        return new SettingsException("a plan that was sent can't have a " + key);
    }

    /** Writes a body as Base64 if its text would be read as something else. */
    private static void keepBody(JsonNode operation) {
        String body = operation.path("body").asString("");
        if (!SettingsFile.isPlainBody(body)) {
            ((ObjectNode) operation)
                    .put("bodyBase64", OperationForm.base64(Body.ofText(body)))
                    .remove("body");
        }
    }

    private static ObjectNode write(Target target, boolean journeys, boolean secrets) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("url", secrets ? target.uri().toString() : target.address());
        HeaderForm.write(json, target.headers(), journeys, secrets);
        json.put("connectTimeoutMs", ScheduleForm.millis(target.connectTimeout()));
        json.put("responseTimeoutMs", ScheduleForm.millis(target.responseTimeout()));
        json.put("insecure", target.insecure());
        TlsFiles files = target.tlsFiles();
        files.authorities().ifPresent(path -> json.put("cacert", path.toString()));
        files.certificate().ifPresent(path -> json.put("cert", path.toString()));
        files.key().ifPresent(path -> json.put("key", path.toString()));
        target.buffers().receive().ifPresent(bytes -> json.put("receiveBuffer", bytes));
        target.buffers().send().ifPresent(bytes -> json.put("sendBuffer", bytes));
        if (target.resendIdle()) {
            json.put("resendIdle", true);
        }
        DetailsForm.write(json, target.details());
        return json;
    }
}
