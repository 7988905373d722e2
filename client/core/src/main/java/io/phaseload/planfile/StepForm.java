package io.phaseload.planfile;

import io.phaseload.options.ValueException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.Condition;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.planfile.body.BodyText;
import io.phaseload.planfile.body.MultipartBody;
import io.phaseload.planfile.phases.LoadForm;
import io.phaseload.planfile.phases.PhaseForm;
import io.phaseload.settings.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The steps of a journey as documents. */
record StepForm(HeaderForm headers) {

    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete", "head", "options");

    private static final List<String> OTHERS = List.of("think", "group", "repeat", "when", "code");

    private static final List<String> KINDS = Stream.of(METHODS, List.of("method"), SocketForm.KINDS, OTHERS)
            .flatMap(List::stream)
            .toList();

    List<Step> steps(Given given) {
        return given.elements().stream().map(this::step).toList();
    }

    private Step step(Given given) {
        List<String> kinds =
                KINDS.stream().filter(key -> given.part(key).isPresent()).toList();
        if (kinds.size() != 1) {
            throw given.wrong("expected one of "
                    + String.join(", ", KINDS.subList(0, KINDS.size() - 1))
                    + (kinds.isEmpty() ? "" : "; found " + String.join(", ", kinds)));
        }
        String kind = kinds.get(0);
        Given value = given.part(kind).orElseThrow();
        if (SocketForm.KINDS.contains(kind)) {
            return new SocketForm(headers).read(given, kind, value);
        }
        checkKeys(given, kind);
        return switch (kind) {
            case "code" -> code(given, value);
            case "think" -> new Step.Think(pause(value));
            case "group" -> value.checked(() -> new Step.Group(value.text(), within(given)));
            case "repeat" -> {
                int times = value.count(1);
                yield value.checked(() -> new Step.Repeat(times, within(given)));
            }
            case "when" -> new Step.When(value.read(Condition::parse, "a condition"), within(given));
            default -> request(given, kind, value);
        };
    }

    /** Keys of a request have no meaning beside other steps, nor have steps beside a request. */
    private static void checkKeys(Given given, String kind) {
        boolean within = kind.equals("group") || kind.equals("repeat") || kind.equals("when");
        boolean request = !OTHERS.contains(kind);
        for (String key : given.keys()) {
            boolean allowed = key.equals(kind)
                    || kind.equals("code") && key.equals("sets")
                    || (key.equals("steps") ? within : request && !key.equals(SocketForm.SUBPROTOCOLS));
            if (!allowed) {
                throw given.part(key).orElse(given).conflict(kind);
            }
        }
        if (within && given.part("steps").isEmpty()) {
            throw given.wrong("expected a key steps");
        }
    }

    private List<Step> within(Given given) {
        return steps(given.part("steps").orElseThrow());
    }

    /** Code of a past run, to look at. */
    private Step.Code code(Given given, Given name) {
        if (headers.toRun()) {
            throw name.wrong("expected another step: this was Java code, which files don't keep");
        }
        List<String> sets = given.elements("sets").stream().map(Given::text).toList();
        return new Step.Code(name.text(), sets, values -> {});
    }

    private static Pause pause(Given given) {
        if (given.isList()) {
            return LoadForm.pause(given);
        }
        return given.read(PhaseForm::pause, "a time such as 1s, or 1s..3s");
    }

    private Step.Request request(Given given, String kind, Given value) {
        boolean named = kind.equals("method");
        String method = named ? value.text() : kind;
        Given path = named ? given.part("path").orElseThrow(() -> given.wrong("expected a key path")) : value;
        Operation bare = path.read(text -> Operation.of(method, text), "a path that begins with /");
        headers.checkSecret(path, bare.path());
        List<Header> own = headers.own(given);
        Optional<Body> body = body(given, own);
        Operation operation = OperationForm.named(given, bare, own, body);
        List<Extraction> extractions = extractions(given);
        Step.OnFailure next = onFailure(given);
        return given.checked(() -> new Step.Request(operation, extractions, next));
    }

    /** The action after a step's failure. */
    static Step.OnFailure onFailure(Given step) {
        return step.part("onFailure").map(StepForm::next).orElse(Step.OnFailure.END);
    }

    private static Step.OnFailure next(Given given) {
        if (!given.isObject()) {
            return switch (given.text()) {
                case "continue" -> Step.OnFailure.CONTINUE;
                case "retry" -> Step.OnFailure.RETRY;
                default -> Step.OnFailure.END;
            };
        }
        Given retry = given.part("retry").orElseThrow();
        int retries = retry.count(1);
        Pause after = given.part("after").map(StepForm::pause).orElse(Pause.NONE);
        boolean ends = given.part("then").map(text -> text.text().equals("end")).orElse(true);
        return retry.checked(() -> new Step.OnFailure(retries, after, ends));
    }

    /** Adds the content's type, unless there is one. */
    private static Optional<Body> body(Given given, List<Header> headers) {
        List<String> kinds = Stream.of("body", "bodyFile", "bodyBase64", "json", "form", "multipart")
                .filter(key -> given.part(key).isPresent())
                .toList();
        if (kinds.size() > 1) {
            throw given.part(kinds.get(1)).orElseThrow().conflict(kinds.get(0));
        }
        if (kinds.contains("json")) {
            addType(headers, "application/json");
            Given json = given.part("json").orElseThrow();
            return Optional.of(Body.ofText(json.read(text -> BodyText.json(json), "JSON")));
        }
        if (kinds.contains("form")) {
            addType(headers, "application/x-www-form-urlencoded");
            return given.part("form").map(form -> Body.ofText(form.read(of -> BodyText.form(form), "a form")));
        }
        if (kinds.contains("multipart")) {
            return Optional.of(multipart(given.part("multipart").orElseThrow(), headers, true));
        }
        return OperationForm.bodyOf(given);
    }

    /** Its type has to be its own: that has the boundary in it. */
    static Body multipart(Given parts, List<Header> headers, boolean templates) {
        MultipartBody multipart = MultipartBody.of(parts, templates);
        headers.removeIf(header -> header.name().equalsIgnoreCase("Content-Type"));
        addType(headers, multipart.type());
        return multipart.body();
    }

    private static void addType(List<Header> headers, String type) {
        if (headers.stream().noneMatch(of -> of.name().equalsIgnoreCase("Content-Type"))) {
            headers.add(new Header("Content-Type", type));
        }
    }

    /** The values that a step extracts. */
    static List<Extraction> extractions(Given step) {
        return step.part("extract").map(StepForm::taken).orElse(List.of());
    }

    private static List<Extraction> taken(Given given) {
        List<Extraction> extractions = new ArrayList<>();
        for (String name : given.keys()) {
            Given one = given.part(name).orElseThrow();
            Given from = one.isObject() ? one.part("from").orElseThrow() : one;
            Extraction bare = from.read(text -> Extraction.of(name, text), "a source");
            Extraction.Take take = one.word("take", Extraction.Take.values());
            extractions.add(one.part("default")
                    .map(Given::text)
                    .map(bare::orElse)
                    .orElse(bare)
                    .take(take));
        }
        return extractions;
    }

    /** Writes steps under a key, with the names that results have for their requests. */
    static void write(ObjectNode json, String key, List<Step> steps, int prefix, List<String> names, boolean secrets) {
        ArrayNode array = json.putArray(key);
        for (Step step : steps) {
            write(array, step, prefix, names, secrets);
        }
    }

    private static void write(ArrayNode array, Step step, int prefix, List<String> names, boolean secrets) {
        if (step instanceof Step.Measured measured) {
            String name = names.remove(0).substring(prefix);
            ObjectNode json = measured instanceof Step.Socket socket
                    ? SocketForm.write(name, socket, secrets)
                    : OperationForm.write(name, measured.operation(), true, secrets);
            measured.extractions().forEach(extraction -> write(json, extraction));
            write(json, measured.onFailure());
            array.add(json);
            return;
        }
        ObjectNode json = array.addObject();
        if (step instanceof Step.Code code) {
            if (secrets) {
                throw new ValueException("step " + code.name(), "no code in a plan that several clients share");
            }
            json.put("code", code.name());
            code.sets().forEach(json.putArray("sets")::add);
        } else if (step instanceof Step.Think think) {
            LoadForm.write(json.putArray("think"), think.pause());
        } else if (step instanceof Step.Group group) {
            json.put("group", group.name());
        } else if (step instanceof Step.Repeat repeat) {
            json.put("repeat", repeat.times());
        } else if (step instanceof Step.When when) {
            json.put("when", when.condition().toString());
        }
        if (!step.steps().isEmpty()) {
            write(json, "steps", step.steps(), prefix, names, secrets);
        }
    }

    private static void write(ObjectNode json, Extraction extraction) {
        ObjectNode all = json.withObject("extract");
        if (extraction.equals(Extraction.of(extraction.name(), extraction.from()))) {
            all.put(extraction.name(), extraction.from());
            return;
        }
        ObjectNode own = all.putObject(extraction.name());
        own.put("from", extraction.from());
        extraction.otherwise().ifPresent(value -> own.put("default", value));
        own.put("take", Given.word(extraction.take()));
    }

    private static void write(ObjectNode json, Step.OnFailure next) {
        String then = next.ends() ? "end" : "continue";
        if (next.retries() == 0) {
            json.put("onFailure", then);
        } else {
            ObjectNode own = json.putObject("onFailure");
            own.put("retry", next.retries());
            LoadForm.write(own.putArray("after"), next.after());
            own.put("then", then);
        }
    }
}
