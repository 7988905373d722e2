package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.UnknownHostException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TargetServerTest {

    private static ServerSettings.Builder settings() {
        return ServerSettings.builder().port(0);
    }

    @Test
    void knowsItsUrl() throws IOException {
        try (TargetServer server = TargetServer.start(settings().build())) {
            URI url = server.url();
            assertThat(url.toString()).matches("http://127\\.0\\.0\\.1:[1-9][0-9]*/");
        }
        try (TargetServer server =
                TargetServer.start(settings().address("0.0.0.0").build())) {
            assertThat(server.url().getHost()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void knowsItsIpv6Url() throws Exception {
        InetAddress loopback = InetAddress.getByName("::1");
        assumeThat(loopback).isInstanceOf(Inet6Address.class);
        assumeThat(NetworkInterface.getByInetAddress(loopback))
                .as("this host has no IPv6 loopback")
                .isNotNull();
        try (TargetServer server = TargetServer.start(settings().address("::1").build())) {
            assertThat(server.url().toString()).matches("http://\\[::1]:[1-9][0-9]*/");
            assertThat(new TestClient(server.url()).get("/").body()).isEqualTo("alive");
        }
    }

    @Test
    void aStopFinishesRequestsInFlightAndIgnoresIdleConnections() throws Exception {
        Duration drain = Duration.ofMinutes(5);
        TargetServer server = TargetServer.start(settings().drainTimeout(drain).build());
        TestClient client = new TestClient(server.url());
        try (Socket idle = client.connect()) {
            idle.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            TestClient.readTo("alive", idle.getInputStream());
            CompletableFuture<HttpResponse<String>> delay = client.getAsync("/delay?ms=1500");
            client.awaitMetrics(m -> m.get("requests/inFlight").equals("1"));

            long before = System.nanoTime();
            server.close();
            Duration taken = Duration.ofNanos(System.nanoTime() - before);

            HttpResponse<String> response = delay.get(TestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("1500");
            assertThat(response.headers().firstValue("Connection")).hasValue("close");
            assertThat(taken).isLessThan(drain.dividedBy(10));
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(server.requestsServed()).isEqualTo(2);
        assertThatThrownBy(client::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    void aStopIsBoundedByTheDrainTimeout() throws Exception {
        Duration drain = Duration.ofMillis(50);
        TargetServer server = TargetServer.start(settings().drainTimeout(drain).build());
        TestClient client = new TestClient(server.url());
        CompletableFuture<HttpResponse<String>> delay = client.getAsync("/delay?ms=60000");
        client.awaitMetrics(m -> m.get("requests/inFlight").equals("1"));

        long before = System.nanoTime();
        server.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TestClient.PATIENCE);

        HttpResponse<String> response = delay.get(TestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("{\"error\":\"the server is stopping\"}");
    }

    @Test
    void anInterruptEndsTheStopAndIsKept() throws Exception {
        Duration drain = Duration.ofMinutes(5);
        TargetServer server = TargetServer.start(settings().drainTimeout(drain).build());
        TestClient client = new TestClient(server.url());
        CompletableFuture<HttpResponse<String>> delay = client.getAsync("/delay?ms=60000");
        client.awaitMetrics(m -> m.get("requests/inFlight").equals("1"));

        Thread.currentThread().interrupt();
        long before = System.nanoTime();
        server.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(TestClient.PATIENCE);
        delay.handle((response, failure) -> null).get(TestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void closingTwiceHasNoEffect() throws IOException {
        TargetServer server = TargetServer.start(settings().build());
        server.close();
        server.close();
        assertThat(server.requestsServed()).isZero();
    }

    @Test
    void aPortInUseIsReported() throws IOException {
        try (TargetServer first = TargetServer.start(settings().build())) {
            int port = first.url().getPort();
            ServerSettings same = settings().port(port).build();
            assertThatThrownBy(() -> TargetServer.start(same))
                    .isInstanceOf(BindException.class)
                    .hasMessageStartingWith("can't listen on 127.0.0.1 port " + port + ": ");
        }
    }

    @Test
    void anUnknownHostIsReported() {
        ServerSettings unknown = settings().address("no-such-host.invalid").build();
        assertThatThrownBy(() -> TargetServer.start(unknown)).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void severalServersRunSideBySide() throws Exception {
        try (TargetServer second = TargetServer.start(settings().maxThreads(7).build())) {
            TestClient toSecond = new TestClient(second.url());
            try (TargetServer first =
                    TargetServer.start(settings().maxThreads(5).build())) {
                TestClient toFirst = new TestClient(first.url());
                toFirst.send("PUT", "/items/a", "x");
                assertThat(toSecond.get("/items/a").statusCode()).isEqualTo(404);
                assertThat(toFirst.metrics().get("maxThreads")).isEqualTo("5");
                assertThat(toSecond.metrics().get("maxThreads")).isEqualTo("7");
                assertThat(first.requestsServed()).isEqualTo(1);
                assertThat(second.requestsServed()).isEqualTo(1);
            }
            assertThat(toSecond.get("/").body()).isEqualTo("alive");
            assertThat(toSecond.metrics().get("maxThreads")).isEqualTo("7");
        }
    }

    /** As inside Maven, where neither the system nor the context class loader is the right one. */
    @Test
    void runsInAClassLoaderOfItsOwn() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        thread.setContextClassLoader(platform);
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), platform)) {
            Class<?> settings = loader.loadClass(ServerSettings.class.getName());
            Object builder = settings.getMethod("builder").invoke(null);
            builder.getClass().getMethod("port", int.class).invoke(builder, 0);
            Object built = builder.getClass().getMethod("build").invoke(builder);
            Class<?> type = loader.loadClass(TargetServer.class.getName());
            assertThat(type).isNotEqualTo(TargetServer.class);
            try (AutoCloseable server =
                    (AutoCloseable) type.getMethod("start", settings).invoke(null, built)) {
                TestClient client = new TestClient((URI) type.getMethod("url").invoke(server));
                assertThat(client.get("/").body()).isEqualTo("alive");
                assertThat(client.get("/nope").statusCode()).isEqualTo(404);
                assertThat(client.metrics()).containsEntry("requests/total", "2");
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void runsOnVirtualThreads() throws Exception {
        assumeThat(Runtime.version().feature())
                .as("virtual threads need Java 21")
                .isGreaterThanOrEqualTo(21);
        TargetServer server = TargetServer.start(settings()
                .virtualThreads(true)
                .maxThreads(1)
                .drainTimeout(Duration.ofMinutes(5))
                .build());
        TestClient client = new TestClient(server.url());
        CompletableFuture<HttpResponse<String>> one = client.getAsync("/delay?ms=1500");
        CompletableFuture<HttpResponse<String>> two = client.getAsync("/delay?ms=1500");
        var metrics = client.awaitMetrics(m -> m.get("requests/inFlight").equals("2"));
        assertThat(metrics)
                .containsEntry("virtualThreads", "true")
                .containsEntry("busyThreads", "2")
                .doesNotContainValue("-1");
        assertThat(client.get("/metrics").body()).contains("\nphaseload_threads_busy 2.0\n");
        server.close();
        assertThat(one.get(TestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS).body())
                .isEqualTo("1500");
        assertThat(two.get(TestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS).body())
                .isEqualTo("1500");
    }

    @Test
    void rejectsVirtualThreadsOnOlderJdks() {
        int java = Runtime.version().feature();
        assumeThat(java).as("this Java has virtual threads").isLessThan(21);
        assertThatThrownBy(() -> settings().virtualThreads(true).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("virtualThreads true: expected Java 21 or newer, this is Java " + java);
    }
}
