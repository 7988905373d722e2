package io.phaseload.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.lambda.local.FunctionUrl;
import io.phaseload.lambda.local.Instances;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The deployment jar on Lambda's runtime. */
class EmulatorIT {

    @TempDir
    private Path folder;

    @Test
    void answersEventsFromTheFirstOneOn() throws Exception {
        try (Emulator emulator = Emulator.start(folder)) {
            Reply alive = Reply.to(Events.stored("function-url-get"), emulator);
            assertThat(alive.text()).isEqualTo("alive");
            assertThat(alive.start()).isEqualTo("cold; invocation=1");
            Reply length = Reply.to(Events.stored("http-api-post-text"), emulator);
            assertThat(length.text()).isEqualTo("6");
            assertThat(length.start()).isEqualTo("warm; invocation=2");
            assertThat(length.instance()).isEqualTo(alive.instance());
            Reply form = Reply.to(Events.stored("function-url-post-form"), emulator);
            assertThat(form.text()).isEqualTo("8");
        }
    }

    @Test
    void anInvalidEventDoesNotEndTheInstance() throws Exception {
        try (Emulator emulator = Emulator.start(folder)) {
            String[] malformed = {"?", "{\"rawPath\": \"\\ud800\"}", "[1e999]", "{\"a\":"};
            for (int i = 0; i < malformed.length; i++) {
                Reply reply = Reply.to(malformed[i], emulator);
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.start()).endsWith("invocation=" + (i + 1));
            }
            assertThat(Reply.to(Events.stored("minimal"), emulator).start()).isEqualTo("warm; invocation=5");
        }
    }

    @Test
    void anHttpClientReachesItThroughTheFunctionUrl() throws Exception {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (Emulator emulator = Emulator.start(folder);
                TargetServer server = TargetServer.start(
                        ServerSettings.builder().port(0).build(),
                        new FunctionUrl(new Instances(() -> emulator, 1, Duration.ZERO)))) {
            byte[] bytes = {0, (byte) 0xff, 'x'};
            HttpRequest.Builder item =
                    HttpRequest.newBuilder(server.url().resolve("/items/a%20b")).timeout(Duration.ofSeconds(60));
            HttpResponse<byte[]> put = http.send(
                    item.PUT(BodyPublishers.ofByteArray(bytes))
                            .header("Content-Type", "image/x-test")
                            .build(),
                    BodyHandlers.ofByteArray());
            assertThat(put.statusCode()).isEqualTo(201);
            HttpResponse<byte[]> get = http.send(item.GET().build(), BodyHandlers.ofByteArray());
            assertThat(get.body()).isEqualTo(bytes);
            assertThat(get.headers().firstValue("Content-Type")).hasValue("image/x-test");
            assertThat(get.headers().firstValue("Phaseload-Start").orElseThrow())
                    .startsWith("warm; ")
                    .endsWith("; invocation=2");
            assertThat(server.requestsServed()).isEqualTo(2);
        }
    }
}
