package io.phaseload.websocket;

import io.phaseload.engine.Capability;
import io.phaseload.engine.Engine;
import io.phaseload.engine.EngineProvider;
import io.phaseload.engine.RunController;
import io.phaseload.events.connection.EventLoops;
import io.phaseload.events.connection.Transport;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import io.phaseload.websocket.mqtt.MqttClients;
import java.util.Optional;
import java.util.Set;

/** Runs a plan of messages on event loops, one per core unless the plan sets their number. */
public final class MessageEngine implements EngineProvider {

    static final String NAME = "websocket";

    /** Creates a provider. */
    public MessageEngine() {}

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
        if (!(plan.engine().protocol() instanceof Protocol.WebSocket protocol)) {
            throw new IllegalArgumentException("engine websocket: expected ws:// or wss://");
        }
        if (plan.target().forwarder().isPresent()) {
            throw new IllegalArgumentException("proxy of HTTP cannot be combined with ws://");
        }
        if (protocol.mqtt().isEmpty() && Target.isMqtt(plan.target().uri().toString())) {
            throw new IllegalArgumentException("engine websocket: expected a topic with mqtt://");
        }
        // It refuses headers before anything is sent.
        protocol.mqtt().ifPresent(mqtt -> new MqttClients(plan.target(), protocol.ping()));
        Transport transport = Transport.of(plan.engine().transport());
        RunController controller = new RunController(plan, listener);
        return new Engine(controller, gate -> {
            try (EventLoops loops = EventLoops.of(plan, transport, false);
                    Handshakes handshakes = new Handshakes(plan, protocol);
                    PeerChannel peerChannel = protocol.apart() ? peerChannel(gate) : null) {
                Optional<PeerChannel> partners = Optional.ofNullable(peerChannel);
                return controller.run(
                        loops.use(NAME, protocol),
                        gate,
                        phase -> new MessagePhase(phase, loops, handshakes, protocol, partners));
            }
        });
    }

    private static PeerChannel peerChannel(StartGate gate) {
        return new PeerChannel(gate.partners()
                .orElseThrow(
                        () -> new IllegalArgumentException("subscribers on other-agent: expected a run by agents")));
    }
}
