package io.phaseload.planfile;

import io.phaseload.plan.Journeys;
import io.phaseload.plan.PairProtocol;
import io.phaseload.plan.PairProtocol.Payload;
import io.phaseload.plan.PairProtocol.Timer;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** The protocol of pairs in a plan's document, which may be the name of a ready one, or a file that has it. */
record PairsForm(Settings settings, HeaderForm headers) {

    private static final List<String> READY = List.of(
            "centrifugo", "deepstream", "deepstream-json", "graphql-transport-ws", "phoenix", "socket.io", "stomp");

    private static final String OPEN = "open";
    private static final String SENDER = "sender";
    private static final String RECEIVER = "receiver";
    private static final String PAYLOAD = "received";

    /**
     * Puts the protocol in the place of its name, and its address and subprotocols where there are none.
     *
     * @param settings of a run
     * @return the same if pairs have no protocol of their own
     */
    static Settings resolved(Settings settings) {
        Optional<Given> given = settings.one(Setting.PAIRS);
        // Without ws:// they are rejected by the name that they were given by.
        if (given.isEmpty() || !settings.isWebSocket()) {
            return settings;
        }
        Given named = given.get();
        Settings more = named.isObject() ? Settings.NONE.with(Setting.PAIRS, named) : ofFile(named);
        Given protocol = more.given(Setting.PAIRS);
        Optional<Given> path = protocol.part("address");
        Optional<Given> url = settings.one(Setting.URL).filter(of -> !hasPath(of.text()));
        if (path.isPresent() && url.isPresent()) {
            String text = url.get().text().replaceFirst("/$", "") + path.get().text();
            more = more.with(
                    Setting.URL, Given.text(Setting.URL, text, url.get().origin()));
        }
        Optional<Given> subprotocols = protocol.part(SocketForm.SUBPROTOCOLS);
        if (subprotocols.isPresent() && !settings.has("engine.subprotocols")) {
            String list =
                    subprotocols.get().elements().stream().map(Given::text).collect(Collectors.joining(","));
            more = more.with("engine.subprotocols", Given.text("engine.subprotocols", list, named.origin()));
        }
        return more.over(settings);
    }

    private static boolean hasPath(String url) {
        int path = url.indexOf('/', url.indexOf("://") + 3);
        return path >= 0 && path < url.length() - 1 || url.contains("?");
    }

    /** The protocol and the variables of a file. */
    private static Settings ofFile(Given named) {
        String name = named.text();
        try {
            Settings file = READY.contains(name) ? ready(name) : SettingsFile.read(named.file());
            Settings found = Settings.NONE.with(
                    Setting.PAIRS,
                    file.one(Setting.PAIRS)
                            .filter(Given::isObject)
                            .orElseThrow(() -> named.wrong("expected a key pairs with a protocol in this file")));
            for (Given variable : file.all(Setting.VARIABLES)) {
                found = found.with(Setting.VARIABLES, variable);
            }
            return found;
        } catch (IOException e) {
            throw named.wrong("expected a file with pairs, or one of " + String.join(", ", READY));
        }
    }

    private static Settings ready(String name) throws IOException {
        String file = name + ".yaml";
        try (InputStream in = PairsForm.class.getResourceAsStream("pairs/" + file)) {
            return SettingsFile.parse(name, file, in.readAllBytes());
        }
    }

    /** The protocol that settings ask for. */
    PairProtocol read() {
        Optional<Given> given = settings.one(Setting.PAIRS);
        if (given.isEmpty()) {
            return PairProtocol.RAW;
        }
        Given of = given.get();
        Map<String, String> variables = JourneyForm.variables(settings, headers.toRun());
        SocketAction message = of.part(PairProtocol.MESSAGE)
                .map(SocketForm::send)
                .orElseThrow(() -> of.wrong("expected a key " + PairProtocol.MESSAGE));
        PairProtocol protocol = of.checked(() -> new PairProtocol(
                steps(of, OPEN),
                steps(of, SENDER),
                steps(of, RECEIVER),
                message,
                of.part(PAYLOAD).map(PairsForm::payload).orElse(Payload.ANYWHERE),
                list(of, SocketForm.ANSWERS, SocketForm::answer),
                list(of, "every", PairsForm::timer),
                of.part("refused").map(Given::text),
                variables,
                Journeys.ofEnvironment(variables)));
        of.checked(protocol::journeys);
        return protocol;
    }

    private List<Step> steps(Given of, String key) {
        return of.part(key).map(new StepForm(headers)::steps).orElse(List.of());
    }

    private static <T> List<T> list(Given of, String key, Function<Given, T> read) {
        return of.elements(key).stream().map(read).toList();
    }

    private static Payload payload(Given given) {
        return given.checked(() -> new Payload(
                given.part("after").map(Given::text).orElse(""),
                given.part("from").map(Given::text)));
    }

    private static Timer timer(Given given) {
        return new Timer(
                given.part("period").orElseThrow().time(),
                SocketForm.send(given.part("send").orElseThrow()));
    }

    /** A protocol in a plan's document. */
    static void write(ObjectNode json, PairProtocol protocol, boolean secrets) {
        JourneyForm.write(json, protocol.variables(), secrets);
        ObjectNode own = json.putObject(Setting.PAIRS);
        write(own, OPEN, protocol.open(), secrets);
        write(own, SENDER, protocol.sender(), secrets);
        write(own, RECEIVER, protocol.receiver(), secrets);
        SocketForm.write(own, PairProtocol.MESSAGE, protocol.message());
        if (!protocol.payload().equals(Payload.ANYWHERE)) {
            ObjectNode payload = own.putObject(PAYLOAD);
            payload.put("after", protocol.payload().after());
            protocol.payload().from().ifPresent(from -> payload.put("from", from));
        }
        SocketForm.writeAnswers(own, protocol.answers());
        for (Timer timer : protocol.every()) {
            ObjectNode each = own.withArray("every").addObject();
            each.put("period", SocketAction.text(timer.period()));
            SocketForm.write(each, "send", timer.send());
        }
        protocol.refused().ifPresent(from -> own.put("refused", from));
    }

    private static void write(ObjectNode json, String key, List<Step> steps, boolean secrets) {
        if (!steps.isEmpty()) {
            List<String> names = new ArrayList<>();
            for (Step step : steps) {
                if (step instanceof Step.Measured measured) {
                    names.add(measured.operation().name());
                }
            }
            StepForm.write(json, key, steps, 0, names, secrets);
        }
    }
}
