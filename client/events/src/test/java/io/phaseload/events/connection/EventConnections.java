package io.phaseload.events.connection;

import io.netty.channel.SingleThreadIoEventLoop;
import io.phaseload.engine.TestEngine;
import io.phaseload.events.EventEngine;
import io.phaseload.events.tls.Tls;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.TestConnection;
import io.phaseload.measure.Exchange;
import io.phaseload.plan.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Connections on a loop of their own, for tests that send one request after another. */
public final class EventConnections implements TestConnection.Factory {

    @Override
    public String engine() {
        return new EventEngine.Provider().name();
    }

    @Override
    public TestConnection to(Target target) {
        return new OfLoop(target);
    }

    private static final class OfLoop implements TestConnection {

        private final LoopThreads threads = new LoopThreads();
        private final Resolver resolver;
        private final SingleThreadIoEventLoop loop;
        private final Tls tls;
        private final LoopContext context;
        private final List<LoopRequest> requests = new ArrayList<>();
        private CompletableFuture<Exchange> answer;
        private LoopConnection connection;

        OfLoop(Target target) {
            Transport transport = Transport.of(TestEngine.settings().transport());
            resolver = new Resolver(target);
            loop = new SingleThreadIoEventLoop(null, threads, transport.handlers());
            tls = target.tls() ? new Tls(target, Tls.Provider.of(target), false) : null;
            context =
                    new LoopContext(
                            loop, transport, resolver, target, tls, (none, session) -> null, false);
        }

        @Override
        public Exchange exchange(PreparedRequest request) {
            LoopRequest encoded = LoopRequest.of(request);
            requests.add(encoded);
            CompletableFuture<Exchange> next = new CompletableFuture<>();
            loop.execute(
                    () -> {
                        answer = next;
                        if (connection == null) {
                            connection =
                                    new LoopConnection(
                                            context,
                                            (ready, done) -> answer.complete((Exchange) done));
                        }
                        connection.exchange(encoded);
                    });
            return next.join();
        }

        @Override
        public void abandonAfter(long nanos) {
            loop.execute(() -> context.abandonAfter(nanos));
        }

        @Override
        public void close() {
            CompletableFuture.runAsync(context::close, loop).join();
            threads.end(List.of(loop));
            requests.forEach(LoopRequest::release);
            resolver.close();
            if (tls != null) {
                tls.close();
            }
        }
    }
}
