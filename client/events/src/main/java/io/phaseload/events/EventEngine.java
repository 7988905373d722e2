package io.phaseload.events;

import io.phaseload.engine.Capability;
import io.phaseload.engine.Engine;
import io.phaseload.engine.EngineProvider;
import io.phaseload.engine.RunController;
import io.phaseload.events.connection.EventLoops;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.LoopRequests;
import io.phaseload.events.connection.Resolver;
import io.phaseload.events.connection.Transport;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.request.RequestSource;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.RunListener;
import java.util.Optional;
import java.util.Set;

/** Runs a plan's phases one after another on event loops, one per core unless the plan sets their number. */
public final class EventEngine implements EngineProvider {

    static final String NAME = "events";

    /** Creates a provider. */
    public EventEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.EVENT_LOOPS, Capability.HTTP_2, Capability.PIPELINING, Capability.SIGNED_REQUESTS);
    }

    @Override
    public Engine create(Plan plan, RunListener listener) {
        Protocol protocol = plan.engine().protocol();
        boolean http2 = protocol instanceof Protocol.Http2;
        if (protocol instanceof Protocol.Http1 http1
                && http1.pipeline() > 1
                && plan.scenario().operations().stream()
                        .map(operation -> new PreparedRequest(plan.target(), operation))
                        .anyMatch(PreparedRequest::expectsContinue)) {
            throw new IllegalArgumentException("header Expect cannot be combined with pipelining");
        }
        if (plan.target().forwarder().isPresent() && http2) {
            throw new IllegalArgumentException("proxy of HTTP cannot be combined with HTTP/2 without TLS");
        }
        LoopSocketSteps.check(plan);
        Transport transport = Transport.of(plan.engine().transport());
        RunController controller = new RunController(plan, listener);
        return new Engine(controller, gate -> {
            RequestSource prepared = RequestSource.of(plan);
            Optional<LoopSocketSteps> sockets = LoopSocketSteps.of(plan, prepared);
            try (LoopRequests requests = new LoopRequests(
                            plan.scenario().journeys().isPresent()
                                    ? 0
                                    : plan.scenario().operations().size(),
                            prepared,
                            http2 ? LoopRequest::ofHttp2 : LoopRequest::of);
                    EventLoops loops = EventLoops.of(plan, transport, http2);
                    Resolver resolver = new Resolver(plan.target())) {
                return controller.run(
                        loops.use(NAME, protocol),
                        gate,
                        phase -> new PhaseLoops(phase, loops, resolver, requests, sockets));
            }
        });
    }
}
