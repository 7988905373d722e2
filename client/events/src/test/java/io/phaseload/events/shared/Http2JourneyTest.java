package io.phaseload.events.shared;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.phaseload.engine.Engines;
import io.phaseload.engine.JourneyTest;
import io.phaseload.engine.Measurement;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.RunListener;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Journeys over HTTP/2: a gateway stands before the shop, which speaks HTTP/1.1 alone. */
class Http2JourneyTest extends JourneyTest {

    private final HttpClient behind =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Override
    protected Measurement measure(Plan plan) {
        URI shop = plan.target().uri();
        try (Http2Server gateway = new Http2Server(request -> pass(request, shop))) {
            Plan over = Plan.builder(gateway.uri())
                    .threads(plan.threads())
                    .scenario(plan.scenario())
                    .phases(plan.phases().toArray(Phase[]::new))
                    .engine(EngineSettings.builder("events")
                            .protocol(new Protocol.Http2(2))
                            .build())
                    .build();
            return Engines.create(over, new RunListener() {}).run();
        }
    }

    private void pass(Http2Server.Request request, URI shop) {
        HttpRequest.Builder asked = HttpRequest.newBuilder(shop.resolve(request.header(":path")))
                .method(request.header(":method"), HttpRequest.BodyPublishers.ofByteArray(request.body()));
        String token = request.header("authorization");
        if (token != null) {
            asked.header("Authorization", token);
        }
        behind.sendAsync(asked.build(), HttpResponse.BodyHandlers.ofByteArray()).thenAccept(response -> {
            Http2Headers head = new DefaultHttp2Headers().status(Integer.toString(response.statusCode()));
            response.headers().map().forEach((name, values) -> head.add(name, values));
            request.answerLater(head, response.body());
        });
    }
}
