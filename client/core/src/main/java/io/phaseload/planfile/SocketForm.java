package io.phaseload.planfile;

import io.phaseload.input.Secrets;
import io.phaseload.options.Quantities;
import io.phaseload.plan.Header;
import io.phaseload.plan.Step;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.journey.Expectation;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.planfile.body.BodyText;
import io.phaseload.settings.Given;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Steps with a WebSocket as documents. */
record SocketForm(HeaderForm headers) {

    static final List<String> KINDS = List.of("connect", "send", "expect", "ping", "close");

    static final String SUBPROTOCOLS = "subprotocols";

    static final String ANSWERS = "answers";

    private static final String HEX = "hex:";
    private static final String BASE64 = "base64:";

    /** Reads a step of a kind. */
    Step.Socket read(Given given, String kind, Given value) {
        checkKeys(given, kind);
        return given.checked(() -> {
            Step.Socket bare = kind.equals("connect") ? connect(given, value) : step(kind, value);
            String name =
                    given.part("name").map(Given::text).orElse(bare.operation().name());
            Metric[] metrics = OperationForm.metrics(given.elements("metrics"));
            return new Step.Socket(
                    bare.operation().named(name).withMetrics(metrics),
                    bare.action(),
                    StepForm.extractions(given),
                    StepForm.onFailure(given));
        });
    }

    private static void checkKeys(Given given, String kind) {
        Set<String> allowed =
                switch (kind) {
                    case "connect" -> Set.of(kind, "name", "onFailure", "headers", SUBPROTOCOLS, ANSWERS);
                    case "expect" -> Set.of(kind, "name", "onFailure", "extract", "metrics");
                    default -> Set.of(kind, "name", "onFailure");
                };
        for (String key : given.keys()) {
            if (!allowed.contains(key)) {
                throw given.part(key).orElse(given).conflict(kind);
            }
        }
    }

    private Step.Socket connect(Given given, Given path) {
        Step.Socket step = path.read(Step::connect, "a path that begins with /");
        headers.checkSecret(path, step.operation().path());
        for (Header header : headers.own(given)) {
            step = step.header(header.name(), header.value());
        }
        List<String> subprotocols =
                given.elements(SUBPROTOCOLS).stream().map(Given::text).toList();
        List<SocketAction.Answer> answers =
                given.elements(ANSWERS).stream().map(SocketForm::answer).toList();
        return new Step.Socket(
                step.operation(),
                new SocketAction.Connect(subprotocols, answers),
                step.extractions(),
                step.onFailure());
    }

    /** An answer to messages of the server. */
    static SocketAction.Answer answer(Given given) {
        Given to = given.part("to").orElseThrow();
        Expectation.Matcher matcher =
                to.isObject() ? matcher(to, only(to, to.keys())) : new Expectation.TextIs(to.text());
        return new SocketAction.Answer(matcher, send(given.part("with").orElseThrow()));
    }

    private static Step.Socket step(String kind, Given value) {
        return switch (kind) {
            case "send" -> Step.socket(send(value));
            case "expect" -> Step.expect(expectation(value));
            case "ping" -> Step.socket(value.read(
                    text -> new SocketAction.Ping(Quantities.parseDuration(text, false)), "a time such as 2s"));
            default -> Step.socket(
                    value.read(text -> new SocketAction.Close(Integer.parseInt(text)), "a close code such as 1000"));
        };
    }

    /** The message to send. */
    static SocketAction send(Given value) {
        if (!value.isObject()) {
            return new SocketAction.SendText(value.text());
        }
        return switch (only(value, value.keys())) {
            case "json" -> new SocketAction.SendText(json(value.part("json").orElseThrow()));
            case "binary" -> new SocketAction.SendBytes(hex(value.part("binary").orElseThrow()));
            default -> new SocketAction.SendText(
                    value.part("text").orElseThrow().text());
        };
    }

    private static String json(Given value) {
        return value.read(text -> BodyText.json(value), "JSON");
    }

    private static String only(Given value, List<String> keys) {
        if (keys.size() != 1 || keys.contains("within")) {
            throw value.wrong("expected one of text, json and binary");
        }
        return keys.get(0);
    }

    /** The awaited message. */
    static Expectation expectation(Given value) {
        List<String> keys = new ArrayList<>(value.keys());
        keys.remove("within");
        Expectation.Matcher matcher =
                keys.isEmpty() ? Expectation.ANYTHING.message() : matcher(value, only(value, keys));
        return new Expectation(matcher, value.part("within").map(Given::time));
    }

    private static Expectation.Matcher matcher(Given value, String key) {
        Given own = value.part(key).orElseThrow();
        return switch (key) {
            case "json" -> {
                Map<String, String> values = new LinkedHashMap<>();
                own.keys()
                        .forEach(at -> values.put(at, own.part(at).orElseThrow().text()));
                yield own.checked(() -> new Expectation.JsonHas(values));
            }
            case "binary" -> new Expectation.BytesAre(hex(own));
            default -> own.isObject() ? text(own) : new Expectation.TextIs(own.text());
        };
    }

    private static Expectation.Matcher text(Given given) {
        if (given.keys().size() != 1) {
            throw given.wrong("expected one of contains and matches");
        }
        String how = given.keys().get(0);
        String text = given.part(how).orElseThrow().text();
        return given.checked(
                () -> how.equals("contains") ? new Expectation.TextContains(text) : new Expectation.TextMatches(text));
    }

    private static String hex(Given given) {
        return given.read(SocketForm::digits, "hex:00ff, hex:00{hex:{name}} or base64:AP8=");
    }

    /** Those of values are known later. */
    private static String digits(String text) {
        if (text.startsWith(HEX) && text.indexOf('{') >= 0) {
            String digits = text.substring(HEX.length());
            SocketAction.checkHex(digits);
            return digits;
        }
        return HexFormat.of().formatHex(bytes(text));
    }

    private static byte[] bytes(String text) {
        if (text.startsWith(HEX)) {
            return HexFormat.of().parseHex(text.substring(HEX.length()).toLowerCase(Locale.ROOT));
        }
        if (text.startsWith(BASE64)) {
            return Base64.getDecoder().decode(text.substring(BASE64.length()));
        }
        throw new NumberFormatException(text);
    }

    /** A step as a document. */
    static ObjectNode write(String name, Step.Socket step, boolean secrets) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", name);
        SocketAction action = step.action();
        if (action instanceof SocketAction.Connect connect) {
            String path = step.operation().path();
            json.put("connect", secrets ? path : Secrets.redactQuery(path));
            HeaderForm.write(json, step.operation().headers(), true, secrets);
            connect.subprotocols().forEach(json.withArray(SUBPROTOCOLS)::add);
            writeAnswers(json, connect.answers());
        } else if (action instanceof SocketAction.Expect expect) {
            ObjectNode own = json.putObject("expect");
            write(own, expect.expectation().message());
            expect.expectation().within().ifPresent(time -> own.put("within", SocketAction.text(time)));
            step.operation().metrics().forEach(metric -> json.withArray("metrics")
                    .add(metric.toString()));
        } else if (action instanceof SocketAction.Ping ping) {
            json.put("ping", SocketAction.text(ping.within()));
        } else if (action instanceof SocketAction.Close close) {
            json.put("close", close.code());
        } else {
            write(json, "send", action);
        }
        return json;
    }

    /** Answers to messages of the server in a step, or a protocol. */
    static void writeAnswers(ObjectNode json, List<SocketAction.Answer> answers) {
        for (SocketAction.Answer answer : answers) {
            ObjectNode own = json.withArray(ANSWERS).addObject();
            write(own.putObject("to"), answer.to());
            write(own, "with", answer.with());
        }
    }

    /** A message to send as a document. */
    static void write(ObjectNode json, String key, SocketAction action) {
        if (action instanceof SocketAction.SendText send) {
            json.put(key, send.text());
        } else if (action instanceof SocketAction.SendBytes send) {
            json.putObject(key).put("binary", HEX + send.hex());
        }
    }

    /** An awaited message as a document. */
    static void write(ObjectNode json, Expectation.Matcher message) {
        if (message instanceof Expectation.TextIs is) {
            json.put("text", is.text());
        } else if (message instanceof Expectation.TextContains contains) {
            json.putObject("text").put("contains", contains.part());
        } else if (message instanceof Expectation.TextMatches matches) {
            json.putObject("text").put("matches", matches.expression());
        } else if (message instanceof Expectation.JsonHas has) {
            has.values().forEach(json.putObject("json")::put);
        } else if (message instanceof Expectation.BytesAre are) {
            json.put("binary", HEX + are.hex());
        }
    }
}
