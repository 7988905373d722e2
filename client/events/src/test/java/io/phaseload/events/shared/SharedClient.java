package io.phaseload.events.shared;

import io.phaseload.events.connection.EventLoops;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.events.connection.LoopRequest;
import io.phaseload.events.connection.LoopSender;
import io.phaseload.events.connection.Resolver;
import io.phaseload.events.connection.Transport;
import io.phaseload.events.tls.Tls;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.Http2Windows;
import io.phaseload.plan.engine.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Users who share one connection, of HTTP/2 or with a pipeline, on a loop of their own. */
final class SharedClient implements AutoCloseable {

    private final EventLoops loops;
    private final Target target;
    private final Protocol protocol;
    private final Resolver resolver;
    private final LoopContext context;
    private final List<LoopSender> users = new ArrayList<>();
    private final List<LoopRequest> encoded = new ArrayList<>();
    private final List<CompletableFuture<Exchange>> answers = new ArrayList<>();
    private SharedConnection connection;

    SharedClient(Http2Server server, int count) {
        this(server, Duration.ofSeconds(30), count);
    }

    SharedClient(Http2Server server, Duration timeout, int count) {
        this(new Target(server.uri(), List.of(), Duration.ofSeconds(5), timeout, false), count);
    }

    SharedClient(Target target, int count) {
        this(target, target.tls() ? Tls.Provider.of(target) : null, count);
    }

    SharedClient(Target target, Tls.Provider provider, int count) {
        this(target, provider, count, Http2Windows.DEFAULT);
    }

    SharedClient(Target target, Tls.Provider provider, int count, Http2Windows windows) {
        this(target, provider, count, windows, Optional.empty());
    }

    SharedClient(Target target, Tls.Provider provider, int count, Http2Windows windows, Optional<String> named) {
        this(target, provider, count, new Protocol.Http2(count, windows), named);
    }

    private SharedClient(Target target, Tls.Provider provider, int count, Protocol protocol, Optional<String> named) {
        Transport transport = Transport.of(named);
        this.target = target;
        this.protocol = protocol;
        this.resolver = new Resolver(target);
        Tls tls = target.tls() ? new Tls(target, provider, true) : null;
        this.loops = new EventLoops(target, transport, 1, tls);
        this.context = loops.newContext(loops.all().get(0), resolver);
        onLoop(() -> {
            connection = SharedProtocol.newConnection(context, protocol);
            for (int i = 0; i < count; i++) {
                int user = i;
                answers.add(null);
                users.add(connection.newUser((ready, done) -> answers.get(user).complete((Exchange) done)));
            }
        });
    }

    /** Users who don't wait for each other's responses. */
    static SharedClient pipelined(Target target, int count) {
        return new SharedClient(target, null, count, new Protocol.Http1(count), Optional.empty());
    }

    private void onLoop(Runnable task) {
        CompletableFuture.runAsync(task, context::execute).join();
    }

    /** Has all users send at once. */
    List<CompletableFuture<Exchange>> sendAll(Operation operation) {
        return send(operation, IntStream.range(0, users.size()).toArray());
    }

    List<CompletableFuture<Exchange>> send(Operation operation, int... which) {
        return send(operation, () -> {}, which);
    }

    /** Meanwhile the loop does nothing else. */
    List<CompletableFuture<Exchange>> send(Operation operation, Runnable before, int... which) {
        PreparedRequest prepared = new PreparedRequest(target, operation);
        LoopRequest request =
                protocol instanceof Protocol.Http2 ? LoopRequest.ofHttp2(prepared) : LoopRequest.of(prepared);
        encoded.add(request);
        List<CompletableFuture<Exchange>> sent = new ArrayList<>();
        onLoop(() -> {
            before.run();
            for (int user : which) {
                CompletableFuture<Exchange> answer = new CompletableFuture<>();
                answers.set(user, answer);
                sent.add(answer);
                users.get(user).exchange(request);
            }
        });
        return sent;
    }

    /** The first user sends and waits for its answer. */
    Exchange exchange(Operation operation) {
        return send(operation, 0).get(0).join();
    }

    /** For longer than a connection in steady use is. */
    void beIdle() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(30);
    }

    static List<Exchange> join(List<CompletableFuture<Exchange>> answers) {
        return answers.stream().map(CompletableFuture::join).toList();
    }

    static List<Outcome> outcomes(List<CompletableFuture<Exchange>> answers) {
        return join(answers).stream().map(Exchange::outcome).toList();
    }

    void abandonAfter(long nanos) {
        context.execute(() -> context.abandonAfter(nanos));
    }

    /** Ends what has taken too long by then, now. */
    void expireAfter(Duration later) {
        onLoop(() -> connection.expire(System.nanoTime() + later.toNanos(), false));
    }

    @Override
    public void close() {
        onLoop(context::close);
        loops.close();
        resolver.close();
        encoded.forEach(LoopRequest::release);
    }
}
