package io.phaseload.websocket;

import io.phaseload.engine.Capability;
import io.phaseload.engine.Engine;
import io.phaseload.engine.EngineProvider;
import io.phaseload.engine.Measurement;
import io.phaseload.engine.RunController;
import io.phaseload.events.connection.EventLoops;
import io.phaseload.events.connection.Transport;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import io.phaseload.run.Steering;
import io.phaseload.websocket.mqtt.MqttClients;
import java.util.Optional;
import java.util.Set;

/** Runs a plan of messages on event loops, one per core unless the plan sets their number. */
public final class MessageEngine implements Engine {

    static final String NAME = "websocket";

    /** Creates this engine for plans that name {@code websocket}. */
    public static final class Provider implements EngineProvider {

        /** Creates a provider. */
        public Provider() {}

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.EVENT_LOOPS);
        }

        @Override
        public Engine create(Plan plan, RunListener listener) {
            return new MessageEngine(plan, listener);
        }
    }

    private final Plan plan;
    private final Protocol.WebSocket protocol;
    private final RunController controller;
    private final Transport transport;

    /**
     * Creates an engine for one run.
     *
     * @param listener receives its progress
     * @throws IllegalArgumentException if the plan isn't one of messages, or wants what messages can't have: virtual
     *     threads, signed requests, a proxy of HTTP without TLS
     */
    public MessageEngine(Plan plan, RunListener listener) {
        if (!(plan.engine().protocol() instanceof Protocol.WebSocket messages)) {
            throw new IllegalArgumentException("engine websocket: expected ws:// or wss://");
        }
        if (plan.target().forwarder().isPresent()) {
            throw new IllegalArgumentException("proxy of HTTP cannot be combined with ws://");
        }
        if (messages.mqtt().isEmpty() && Target.isMqtt(plan.target().uri().toString())) {
            throw new IllegalArgumentException("engine websocket: expected a topic with mqtt://");
        }
        // It refuses headers before anything is sent.
        messages.mqtt().ifPresent(mqtt -> new MqttClients(plan.target(), messages.ping()));
        this.plan = plan;
        this.protocol = messages;
        this.transport = Transport.of(plan.engine().transport());
        this.controller = new RunController(plan, listener);
    }

    @Override
    public Measurement run(StartGate gate) {
        try (EventLoops loops = EventLoops.of(plan, transport, false);
                Handshakes handshakes = new Handshakes(plan, protocol);
                PeerChannel peerChannel = protocol.apart() ? peerChannel(gate) : null) {
            return controller.run(
                    loops.use(NAME, protocol),
                    gate,
                    phase -> new MessagePhase(phase, loops, handshakes, protocol, Optional.ofNullable(peerChannel)));
        }
    }

    private static PeerChannel peerChannel(StartGate gate) {
        return new PeerChannel(gate.partners()
                .orElseThrow(() ->
                        new IllegalArgumentException("subscribers on other-agent: expected a run by" + " agents")));
    }

    @Override
    public void stop() {
        controller.stop();
    }

    @Override
    public Steering steering() {
        return controller;
    }
}
