package io.phaseload.planfile;

import static io.phaseload.settings.Setting.CLIENT;
import static io.phaseload.settings.Setting.COMPRESS;
import static io.phaseload.settings.Setting.CONNECT_RATE;
import static io.phaseload.settings.Setting.ENGINE;
import static io.phaseload.settings.Setting.HTTP2;
import static io.phaseload.settings.Setting.KEEP_GOING;
import static io.phaseload.settings.Setting.LOOPS;
import static io.phaseload.settings.Setting.MESSAGE_SIZE;
import static io.phaseload.settings.Setting.PING;
import static io.phaseload.settings.Setting.PIPELINE;
import static io.phaseload.settings.Setting.STREAMS;
import static io.phaseload.settings.Setting.SUBPROTOCOLS;
import static io.phaseload.settings.Setting.SUBSCRIBERS;
import static io.phaseload.settings.Setting.SUBSCRIBERS_ON;
import static io.phaseload.settings.Setting.TRANSPORT;
import static io.phaseload.settings.Setting.URL;
import static io.phaseload.settings.Setting.VIRTUAL;
import static io.phaseload.settings.Setting.WINDOWS;

import io.phaseload.plan.Target;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Http2Windows;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.schedule.Rate;
import io.phaseload.settings.Given;
import io.phaseload.settings.Kind;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads an engine from settings, and writes it into a plan's document. */
final class EngineForm {

    private static final String EVENTS = "events";

    /** The engine of messages. */
    private static final String WEBSOCKET = "websocket";

    private static final String OTHER_AGENT = "other-agent";

    private static final List<Setting> OF_REQUESTS = List.of(
            PIPELINE,
            HTTP2,
            VIRTUAL,
            Setting.RESEND_IDLE,
            Setting.FOLLOW_REDIRECTS,
            Setting.KEEP_COOKIES,
            Setting.DECODE,
            Setting.CREDENTIALS,
            Setting.AWS_SIGV4);

    private static final List<Setting> MESSAGES =
            List.of(SUBSCRIBERS, SUBSCRIBERS_ON, MESSAGE_SIZE, Setting.NODES, SUBPROTOCOLS, COMPRESS, PING);

    private EngineForm() {}

    /**
     * The engine that settings ask for.
     *
     * @param settings of a run
     * @return checked
     * @throws io.phaseload.settings.SettingsException naming settings that don't go together, and their origin
     */
    static EngineSettings read(Settings settings) {
        boolean messages = Target.isWebSocket(settings.one(URL).map(Given::text).orElse(""));
        String name = messages && !settings.has(ENGINE) ? WEBSOCKET : settings.text(ENGINE);
        if (messages != name.equals(WEBSOCKET)) {
            throw settings.given(ENGINE).wrong("expected websocket with ws:// and wss:// addresses, and only there");
        }
        if (messages) {
            for (Setting http : OF_REQUESTS) {
                check(!isAsked(settings, http), settings, http, URL, "http://…");
            }
            boolean wire = settings.text(CLIENT).equals(EngineSettings.WIRE);
            check(wire, settings, CLIENT, URL, "http://…");
        } else {
            for (Setting message : MESSAGES) {
                check(!isAsked(settings, message), settings, message, URL, "ws://…");
            }
        }
        boolean resends = isAsked(settings, Setting.RESEND_IDLE);
        boolean wires = settings.text(CLIENT).equals(EngineSettings.WIRE);
        check(!resends || wires, settings, Setting.RESEND_IDLE, CLIENT, EngineSettings.WIRE);
        if (name.equals(EngineSettings.THREADS.name())) {
            for (Setting events : List.of(LOOPS, TRANSPORT, PIPELINE, HTTP2)) {
                check(!isAsked(settings, events), settings, events, ENGINE, EVENTS);
            }
        } else if (name.equals(EVENTS)) {
            check(!isAsked(settings, VIRTUAL), settings, VIRTUAL, ENGINE, "threads");
            boolean wire = settings.text(CLIENT).equals(EngineSettings.WIRE);
            check(wire, settings, CLIENT, ENGINE, "threads");
        }
        EngineSettings.Builder engine =
                settings.read(ENGINE, EngineSettings::builder).orElseGet(() -> EngineSettings.builder(name));
        if (settings.has(LOOPS)) {
            engine.loops((int) settings.count(LOOPS));
        }
        if (settings.has(TRANSPORT)) {
            engine.transport(settings.text(TRANSPORT));
        }
        settings.read(CONNECT_RATE, Rate::parse).ifPresent(engine::connectRate);
        HttpClientForm.read(settings).ifPresent(engine::client);
        engine.protocol(messages ? webSocket(settings) : protocol(settings));
        return engine.keepGoing(settings.flag(KEEP_GOING)).build();
    }

    private static Protocol webSocket(Settings settings) {
        boolean apart = settings.text(SUBSCRIBERS_ON).equals(OTHER_AGENT);
        check(!apart || settings.count(SUBSCRIBERS) > 0, settings, SUBSCRIBERS_ON, SUBSCRIBERS, "1 or more");
        return new Protocol.WebSocket(
                (int) settings.count(SUBSCRIBERS),
                (int) settings.count(MESSAGE_SIZE),
                settings.read(SUBPROTOCOLS, EngineForm::names).orElse(List.of()),
                settings.flag(COMPRESS),
                settings.has(PING) ? Optional.of(settings.time(PING)) : Optional.empty(),
                apart);
    }

    private static List<String> names(String list) {
        List<String> names = List.of(list.split(",", -1));
        // Has them checked here, so that what is wrong with them is said of their option.
        return new Protocol.WebSocket(1, 200, names, false, Optional.empty()).subprotocols();
    }

    private static Protocol protocol(Settings settings) {
        int pipeline = (int) settings.count(PIPELINE);
        if (!settings.flag(HTTP2)) {
            check(!settings.has(STREAMS), settings, STREAMS, HTTP2, "");
            check(!settings.has(WINDOWS), settings, WINDOWS, HTTP2, "");
            return new Protocol.Http1(pipeline);
        }
        if (pipeline > 1) {
            throw settings.conflict(PIPELINE, HTTP2);
        }
        return new Protocol.Http2(
                (int) settings.count(STREAMS),
                settings.read(WINDOWS, Http2Windows::parse).orElse(Http2Windows.DEFAULT));
    }

    static boolean isAsked(Settings settings, Setting setting) {
        return settings.has(setting) && (setting.kind().type() != Kind.Type.FLAG || settings.flag(setting));
    }

    private static void check(boolean holds, Settings settings, Setting setting, Setting missing, String value) {
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
