package io.phaseload.events.connection;

import io.phaseload.engine.TestEngine;
import io.phaseload.events.EventEngine;
import io.phaseload.events.tls.Tls;
import io.phaseload.http.TestConnection;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.plan.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Connections on a loop of their own, for tests that send one request after another. */
public final class EventConnections implements TestConnection.Factory {

    @Override
    public String engine() {
        return new EventEngine().name();
    }

    @Override
    public TestConnection to(Target target) {
        return new OfLoop(target, Transport.of(TestEngine.settings().transport()));
    }

    static final class OfLoop implements TestConnection {

        private final EventLoops loops;
        private final Resolver resolver;
        private final LoopContext context;
        private final List<LoopRequest> requests = new ArrayList<>();
        private CompletableFuture<Exchange> answer;
        private LoopConnection connection;

        OfLoop(Target target, Transport transport) {
            resolver = new Resolver(target);
            loops = new EventLoops(target, transport, 1, Tls.of(target, false));
            context = loops.newContext(loops.all().get(0), resolver);
        }

        @Override
        public Exchange exchange(PreparedRequest request) {
            return exchange(request, () -> {});
        }

        /**
         * Sends a request when the loop has done something else.
         *
         * @param before done by the loop in the same turn
         */
        Exchange exchange(PreparedRequest request, Runnable before) {
            LoopRequest encoded = LoopRequest.of(request);
            requests.add(encoded);
            CompletableFuture<Exchange> next = new CompletableFuture<>();
            context.execute(() -> {
                before.run();
                answer = next;
                if (connection == null) {
                    connection = new LoopConnection(context, (ready, done) -> answer.complete((Exchange) done));
                }
                connection.exchange(encoded);
            });
            return next.join();
        }

        @Override
        public void abandonAfter(long nanos) {
            context.execute(() -> context.abandonAfter(nanos));
        }

        @Override
        public void close() {
            CompletableFuture.runAsync(context::close, context::execute).join();
            loops.close();
            requests.forEach(LoopRequest::release);
            resolver.close();
        }
    }
}
