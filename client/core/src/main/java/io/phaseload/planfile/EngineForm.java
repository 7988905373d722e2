package io.phaseload.planfile;

import io.phaseload.plan.Target;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Http2Windows;
import io.phaseload.plan.engine.Mqtt;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.planfile.phases.ScheduleForm;
import io.phaseload.schedule.Rate;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads an engine from settings, and writes it into a plan's document. */
final class EngineForm {

    private static final String EVENTS = "events";

    /** The engine of messages. */
    private static final String WEBSOCKET = "websocket";

    private static final String TOPIC = "engine.topic";
    private static final String QOS = "engine.qos";

    private static final String OTHER_AGENT = "other-agent";

    private EngineForm() {}

    /**
     * The engine that settings ask for.
     *
     * @param settings of a run
     * @return checked
     * @throws io.phaseload.settings.SettingsException naming settings that don't go together, and their origin
     */
    static EngineSettings read(Settings settings) {
        boolean messages = settings.isWebSocket();
        String name = messages && !settings.has(Setting.ENGINE) ? WEBSOCKET : settings.text(Setting.ENGINE);
        if (messages != name.equals(WEBSOCKET)) {
            throw settings.given(Setting.ENGINE)
                    .wrong("expected websocket with addresses of ws://, wss://, mqtt:// and mqtts://, and only there");
        }
        settings.check();
        boolean wire = settings.text(Setting.CLIENT).equals(EngineSettings.WIRE);
        check(wire || !messages, settings, Setting.CLIENT, Setting.URL, "http://…");
        if (name.equals(EngineSettings.THREADS.name())) {
            for (String events : List.of("engine.loops", "engine.transport", "engine.pipeline", "engine.http2")) {
                check(!settings.isAsked(events), settings, events, Setting.ENGINE, EVENTS);
            }
        } else if (name.equals(EVENTS)) {
            check(!settings.isAsked("virtualThreads"), settings, "virtualThreads", Setting.ENGINE, "threads");
            check(wire, settings, Setting.CLIENT, Setting.ENGINE, "threads");
        }
        EngineSettings.Builder engine =
                settings.read(Setting.ENGINE, EngineSettings::builder).orElseGet(() -> EngineSettings.builder(name));
        settings.number("engine.loops").ifPresent(engine::loops);
        if (settings.has("engine.transport")) {
            engine.transport(settings.text("engine.transport"));
        }
        settings.read("engine.connectRate", Rate::parse).ifPresent(engine::connectRate);
        HttpClientForm.read(settings).ifPresent(engine::client);
        engine.protocol(messages ? webSocket(settings) : protocol(settings));
        return engine.keepGoing(settings.flag("engine.keepGoing")).build();
    }

    private static Protocol webSocket(Settings settings) {
        boolean apart = settings.text("engine.subscribersOn").equals(OTHER_AGENT);
        check(
                !apart || settings.count("engine.subscribers") > 0,
                settings,
                "engine.subscribersOn",
                "engine.subscribers",
                "1 or more");
        Optional<Mqtt> mqtt = mqtt(settings);
        boolean tcp = Target.isMqtt(settings.given(Setting.URL).text());
        for (String framed : List.of("engine.subprotocols", "engine.compress")) {
            if (tcp && settings.isAsked(framed)) {
                throw settings.given(framed).needs(Setting.URL, "ws://…");
            }
        }
        return new Protocol.WebSocket(
                (int) settings.count("engine.subscribers"),
                (int) settings.count("engine.messageSize"),
                settings.read("engine.subprotocols", EngineForm::names)
                        .orElse(mqtt.isPresent() && !tcp ? List.of("mqtt") : List.of()),
                settings.flag("engine.compress"),
                settings.period("engine.ping"),
                apart,
                mqtt);
    }

    /** The topic is the address' path, unless it is given. */
    private static Optional<Mqtt> mqtt(Settings settings) {
        Given url = settings.given(Setting.URL);
        boolean asked = settings.has(TOPIC);
        if (!asked && !Target.isMqtt(url.text())) {
            if (settings.has(QOS)) {
                throw settings.given(QOS).needs(TOPIC, "rooms/{pair}");
            }
            return Optional.empty();
        }
        int qos = (int) settings.count(QOS);
        if (asked) {
            return settings.read(TOPIC, topic -> new Mqtt(topic, qos));
        }
        URI address = Target.parse(url.text()).uri();
        String query = address.getQuery() == null ? "" : "?" + address.getQuery();
        String topic = (address.getPath() + query).replaceFirst("^/", "");
        if (topic.isEmpty()) {
            throw url.withoutSecrets()
                    .wrong("expected a topic in the path, such as mqtt://host/rooms/{pair}, or --topic");
        }
        return Optional.of(url.withoutSecrets().checked(() -> new Mqtt(topic, qos)));
    }

    private static List<String> names(String list) {
        List<String> names = List.of(list.split(",", -1));
        // Has them checked here, so that what is wrong with them is said of their option.
        return new Protocol.WebSocket(1, 200, names, false, Optional.empty()).subprotocols();
    }

    private static Protocol protocol(Settings settings) {
        int pipeline = (int) settings.count("engine.pipeline");
        if (!settings.flag("engine.http2")) {
            return new Protocol.Http1(pipeline);
        }
        if (pipeline > 1) {
            throw settings.conflict("engine.pipeline", "engine.http2");
        }
        return new Protocol.Http2(
                (int) settings.count("engine.streams"),
                settings.read("engine.windows", Http2Windows::parse).orElse(Http2Windows.DEFAULT));
    }

    private static void check(boolean holds, Settings settings, String setting, String missing, String value) {
        if (!holds) {
            throw settings.given(setting).needs(missing, value);
        }
    }

    /**
     * An engine as a part of a plan's document, without what has its default.
     *
     * @param engine the settings to write
     * @return a new object, which {@link #read} reads
     */
    static ObjectNode write(EngineSettings engine) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", engine.name());
        engine.loops().ifPresent(count -> json.put("loops", count));
        engine.transport().ifPresent(kind -> json.put("transport", kind));
        engine.connectRate().ifPresent(rate -> json.put("connectRate", rate.toString()));
        if (engine.protocol() instanceof Protocol.Http2 http2) {
            json.put("http2", true).put("streams", http2.streams());
            if (!http2.windows().equals(Http2Windows.DEFAULT)) {
                json.put("windows", http2.windows().toString());
            }
        } else if (engine.protocol() instanceof Protocol.WebSocket messages) {
            json.put("subscribers", messages.subscribers());
            if (messages.apart()) {
                json.put("subscribersOn", OTHER_AGENT);
            }
            json.put("messageSize", messages.messageSize());
            if (!messages.subprotocols().isEmpty()) {
                json.put("subprotocols", String.join(",", messages.subprotocols()));
            }
            if (messages.compressed()) {
                json.put("compress", true);
            }
            messages.mqtt().ifPresent(mqtt -> json.put("topic", mqtt.topic()).put("qos", mqtt.qos()));
            messages.ping().ifPresent(every -> json.put("pingMs", ScheduleForm.millis(every)));
        } else if (engine.protocol().usersPerConnection() > 1) {
            json.put("pipeline", engine.protocol().usersPerConnection());
        }
        if (engine.keepGoing()) {
            json.put("keepGoing", true);
        }
        return json;
    }
}
