package io.phaseload.http;

import io.phaseload.engine.TestEngine;
import io.phaseload.http.client.Client;
import io.phaseload.http.client.Clients;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.SendResult;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Target;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;

/** A user's connection, as the engine under test makes it. */
public interface TestConnection extends AutoCloseable {

    /** Makes those of one engine; found by {@link ServiceLoader}. */
    interface Factory {

        /** The engine's name. */
        String engine();

        /** Creates a connection that isn't opened yet. */
        TestConnection to(Target target);
    }

    /** Creates a connection that isn't opened yet. */
    static TestConnection to(Target target) {
        String engine = TestEngine.settings().name();
        for (Factory factory : ServiceLoader.load(Factory.class)) {
            if (factory.engine().equals(engine)) {
                return factory.to(target);
            }
        }
        return new OfThreads(target);
    }

    /** Sends a request and waits for its result. */
    Exchange exchange(PreparedRequest request);

    /** Ends whatever is in flight some time from now, and what begins after that. */
    void abandonAfter(long nanos);

    @Override
    void close();

    /** One of the thread engine's. */
    final class OfThreads implements TestConnection {

        private final Deadlines deadlines;
        private final Client client;
        private final UserSender connection;

        private OfThreads(Target target) {
            deadlines = new Deadlines(Math.min(
                    target.connectTimeout().toNanos(), target.responseTimeout().toNanos()));
            Plan plan = Plan.builder(target.uri())
                    .target(target)
                    .scenario(Scenario.getThenPost())
                    .threads(1)
                    .phases(new Phase("peak", 1, new PhaseLength.Iterations(1)))
                    .engine(TestEngine.settings())
                    .virtualThreads(TestEngine.isVirtual())
                    .build();
            client = Clients.of(plan).create(plan);
            connection = client.newSender(deadlines, UserSender.Turn.AT_ONCE);
        }

        @Override
        public Exchange exchange(PreparedRequest request) {
            if (!TestEngine.isVirtual()) {
                return (Exchange) connection.exchange(request);
            }
            CompletableFuture<SendResult> done = new CompletableFuture<>();
            TestEngine.newThread(() -> done.complete(connection.exchange(request)))
                    .start();
            return (Exchange) done.join();
        }

        @Override
        public void abandonAfter(long nanos) {
            deadlines.abandonAfter(nanos);
        }

        @Override
        public void close() {
            connection.close();
            client.close();
            deadlines.close();
        }
    }
}
