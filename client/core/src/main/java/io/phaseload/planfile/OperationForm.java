package io.phaseload.planfile;

import io.phaseload.input.Limit;
import io.phaseload.input.Secrets;
import io.phaseload.options.Quantities;
import io.phaseload.options.ValueException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.check.Subject;
import io.phaseload.plan.check.ValueCheck;
import io.phaseload.planfile.body.MultipartBody;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the requests of an iteration from settings, and writes them into a plan's document.
 *
 * <p>Body, checks, metrics and streams that the command line gives for all requests replace those of a file.
 */
final class OperationForm {

    private static final Set<String> USUALLY_WITH_BODY = Set.of("POST", "PUT", "PATCH");

    /** As long as a check's name may be. */
    private static final int LONGEST_CAUSE = 100;

    private final Settings settings;
    private final HeaderForm headers;

    private OperationForm(Settings settings, HeaderForm headers) {
        this.settings = settings;
        this.headers = headers;
    }

    static Scenario read(Settings settings, HeaderForm headers) {
        List<Operation> operations = new OperationForm(settings, headers).operations();
        List<Given> given = settings.all(Setting.OPERATIONS);
        boolean weighted = given.stream().anyMatch(one -> one.part("weight").isPresent());
        return new Scenario(
                operations,
                Optional.empty(),
                weighted ? given.stream().map(OperationForm::weight).toList() : List.of());
    }

    private static int weight(Given operation) {
        return operation
                .part("weight")
                .map(given -> given.read(OperationForm::weight, ""))
                .orElse(1);
    }

    private static int weight(String text) {
        int weight = Quantities.parseInt(text, 1);
        Limit.WEIGHT.check(weight);
        return weight;
    }

    private List<Operation> operations() {
        List<Given> given = settings.all(Setting.OPERATIONS);
        if (given.isEmpty()) {
            return defaults().stream().map(this::replaced).toList();
        }
        boolean file = given.get(0).origin().isFile();
        List<Operation> operations = named(given, file);
        if (settings.has(Setting.BODY)
                && operations.stream().allMatch(own -> file ? own.body().isEmpty() : !usuallyHasBody(own.method()))) {
            throw settings.given(Setting.BODY)
                    .needs(
                            file
                                    ? "a request with a body"
                                    : "--post, --put or --patch, or --delete or --options before" + " it");
        }
        return operations;
    }

    /** As curl does, sends no body to a server that isn't ours unless one is given. */
    private List<Operation> defaults() {
        List<Operation> both = Scenario.getThenPost().operations();
        if (!settings.has(Setting.URL)) {
            return both;
        }
        return settings.has(Setting.BODY)
                ? both.subList(1, 2)
                : Scenario.getOnly().operations();
    }

    private List<Operation> named(List<Given> given, boolean file) {
        List<Operation> operations = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Map<String, Integer> counts = new HashMap<>();
        for (Given one : given) {
            Operation own = one.isObject() ? ofDocument(one) : ofLine(one);
            if (!file && own.body().isEmpty() && usuallyHasBody(own.method())) {
                own = own.withBody(defaultBody());
            }
            Operation named = file && one.part("name").isPresent() ? own : numbered(own, counts);
            if (file && !names.add(named.name())) {
                throw one.wrong("name " + named.name() + ": this name is already used");
            }
            operations.add(file ? replaced(named) : common(named, false));
        }
        return operations;
    }

    /** Requests that are the same get a number in their names, from the second on. */
    private static Operation numbered(Operation operation, Map<String, Integer> counts) {
        int count = counts.merge(operation.name(), 1, Integer::sum);
        return count == 1 ? operation : operation.named(operation.name() + " #" + count);
    }

    /** A request of a file, whose parts yield to those of the command line. */
    private Operation replaced(Operation operation) {
        boolean withBody = settings.has(Setting.BODY) && operation.body().isPresent();
        return common(withBody ? operation.withBody(defaultBody()) : operation, true);
    }

    /** With the checks, metrics and stream of all requests, in place of its own or where it has none. */
    private Operation common(Operation operation, boolean replace) {
        Operation own = operation;
        if (settings.has(Setting.EXPECT) && (replace || own.checks().isEmpty())) {
            own = own.withChecks(checks(settings.given(Setting.EXPECT)));
        }
        if (settings.has(Setting.METRIC) && (replace || own.metrics().isEmpty())) {
            own = own.withMetrics(metrics(settings.all(Setting.METRIC)));
        }
        return replace || own.events().isEmpty() ? streamed(own) : own;
    }

    private Operation streamed(Operation operation) {
        return settings.one(Setting.EVENT_STREAM)
                .map(EventStreamForm::read)
                .map(operation::withEvents)
                .orElse(operation);
    }

    private Body defaultBody() {
        return settings.one(Setting.BODY).map(OperationForm::body).orElse(Scenario.DEFAULT_BODY);
    }

    private static Body body(Given given) {
        return given.bytes().map(Body::ofBytes).orElseGet(() -> Body.ofText(given.text()));
    }

    static Check[] checks(Given given) {
        return given.elements().stream()
                .flatMap(
                        one -> one
                                .read(
                                        given.isList() ? Check::parseWritten : Check::parse,
                                        Setting.expected(Setting.EXPECT))
                                .stream()
                                .map(check -> one.read(text -> whole(check, one.folder()), "")))
                .toArray(Check[]::new);
    }

    /** With its schema in it, so that agents and results need no other file. */
    private static Check whole(Check check, Path folder) {
        if (check instanceof Check.Soft soft) {
            return new Check.Soft(whole(soft.check(), folder));
        }
        boolean named = check instanceof Check.Named;
        Check inlined = inlined(check, folder);
        return named || inlined.equals(check) ? inlined : new Check.Named(inlined, schemaCause(check));
    }

    /** Such as {@code check schema item.json}, whatever the file's folder. */
    private static String schemaCause(Check check) {
        boolean negated = check instanceof Check.Negated;
        ValueCheck schema = (ValueCheck) (check instanceof Check.Negated not ? not.check() : check);
        String file = Path.of(schema.subject().expression()).getFileName().toString();
        String cause = Check.CAUSE + (negated ? "not " : "") + "schema " + file.replaceAll("[:\\p{Cntrl}]", " ");
        return cause.length() <= LONGEST_CAUSE ? cause : cause.substring(0, LONGEST_CAUSE - 1) + "…";
    }

    private static Check inlined(Check check, Path folder) {
        if (check instanceof Check.Around around) {
            return around.around(inlined(around.check(), folder));
        }
        if (!(check instanceof ValueCheck value) || value.subject().kind() != Subject.Kind.SCHEMA) {
            return check;
        }
        String document = new String(value.subject().document(folder), StandardCharsets.UTF_8);
        Subject inlined = new Subject(Subject.Kind.SCHEMA, document.strip(), false);
        return new ValueCheck(inlined, value.requirement());
    }

    static Metric[] metrics(List<Given> given) {
        List<Metric> metrics = new ArrayList<>();
        for (Given one : given) {
            Metric metric = one.read(Metric::parse, Setting.expected(Setting.METRIC));
            if (metrics.stream().anyMatch(other -> other.name().equals(metric.name()))) {
                throw one.wrong("this name is already used");
            }
            metrics.add(metric);
        }
        return metrics.toArray(Metric[]::new);
    }

    private static boolean usuallyHasBody(String method) {
        return USUALLY_WITH_BODY.contains(method);
    }

    private static Operation ofLine(Given line) {
        return line.read(
                text -> {
                    String[] parts = text.strip().split("\\s+", 2);
                    if (parts.length < 2) {
                        throw new ValueException("a method and a path, such as GET /items");
                    }
                    Operation operation = fixed(Operation.of(parts[0], parts[1]));
                    return usuallyHasBody(operation.method()) ? operation.withBody(Scenario.DEFAULT_BODY) : operation;
                },
                "a method and a path");
    }

    /** Has its path checked here, so that what is wrong is said of where it was written. */
    private static Operation fixed(Operation operation) {
        return new Scenario(List.of(operation)).operations().get(0);
    }

    private Operation ofDocument(Given given) {
        String method = given.part("method")
                .orElseThrow()
                .read(text -> Operation.of(text, "/").method(), "a method");
        Given path = given.part("path").orElseThrow();
        Operation bare = path.read(
                text -> fixed(Operation.of(method, text)), "a path that begins with / and is percent-encoded");
        headers.checkSecret(path, bare.path());
        List<Header> own = headers.own(given);
        Optional<Body> body = given.part("multipart")
                .map(parts -> StepForm.multipart(parts, own, false))
                .or(() -> bodyOf(given));
        return named(given, bare, own, body);
    }

    /** A request with what a document says beside its method and path. */
    static Operation named(Given given, Operation bare, List<Header> headers, Optional<Body> body) {
        return given.checked(() -> new Operation(
                given.part("name").map(Given::text).orElse(bare.name()),
                bare.method(),
                bare.path(),
                headers,
                body,
                given.part("checks").map(OperationForm::checks).map(List::of).orElse(List.of()),
                List.of(metrics(given.elements("metrics"))),
                given.part(EventStreamForm.KEY).map(EventStreamForm::read)));
    }

    static Optional<Body> bodyOf(Given given) {
        Optional<Given> file = given.part("bodyFile");
        if (file.isPresent()) {
            return Optional.of(Body.ofBytes(MultipartBody.content(file.get())));
        }
        return given.part("bodyBase64")
                .map(text -> text.read(OperationForm::decoded, "Base64"))
                .or(() -> given.part("body").map(OperationForm::body));
    }

    private static Body decoded(String base64) {
        return Body.ofBytes(Base64.getDecoder().decode(base64));
    }

    /** An operation as a document; of a journey, its texts are templates. */
    static ObjectNode write(String name, Operation operation, boolean journeys, boolean secrets) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", name);
        json.put("method", operation.method());
        json.put("path", secrets ? operation.path() : Secrets.redactQuery(operation.path()));
        HeaderForm.write(json, operation.headers(), journeys, secrets);
        operation.body().ifPresent(body -> body.text()
                .ifPresentOrElse(text -> json.put("body", text), () -> json.put("bodyBase64", base64(body))));
        operation.checks().forEach(check -> json.withArray("checks").add(check.toString()));
        operation.metrics().forEach(metric -> json.withArray("metrics").add(metric.toString()));
        operation.events().ifPresent(own -> json.put(EventStreamForm.KEY, own.toString()));
        return json;
    }

    static String base64(Body body) {
        return Base64.getEncoder().encodeToString(body.bytes());
    }
}
