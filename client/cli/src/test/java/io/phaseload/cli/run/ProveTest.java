package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.RecordingServer;
import io.phaseload.cli.command.ExitCode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.AccessLogValve;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code run --prove}: against nginx, Tomcat, and logs that lack lines or have them twice. */
@Tag("slow")
class ProveTest {

    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final String LINE = "127.0.0.1 - - [26/Nov/2026:16:18:01 +0000] \"GET / HTTP/1.1\" 200 3\n";

    @TempDir
    private Path folder;

    private Cli run(Object url, Path log, Object... more) {
        return runInto("out", url, log, more);
    }

    private Cli runInto(String out, Object url, Path log, Object... more) {
        Object[] line = {
            "run",
            "--url",
            url,
            "--threads",
            2,
            "--phases",
            "peak=1",
            "--iterations",
            20,
            "--quiet",
            "--prove",
            log,
            "--out",
            folder.resolve(out)
        };
        return Cli.run(Stream.concat(Stream.of(line), Stream.of(more)).toArray());
    }

    private JsonNode proof() throws IOException {
        return proofIn("out");
    }

    private JsonNode proofIn(String out) throws IOException {
        return JsonMapper.shared()
                .readTree(Files.readString(folder.resolve(out).resolve("result.json")))
                .path("proof");
    }

    /** Its own log, written as requests come: each line as often as {@code times} says. */
    private RecordingServer server(Path log, IntUnaryOperator times) {
        int[] count = {0};
        return RecordingServer.start(request -> {
            synchronized (count) {
                try {
                    Files.writeString(
                            log,
                            LINE.repeat(times.applyAsInt(count[0]++)),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return 200;
        });
    }

    @Test
    void linesThatAreTwiceAreUnexplained() throws Exception {
        Path log = Files.createFile(folder.resolve("access.log"));
        try (RecordingServer server = server(log, i -> i == 5 || i == 7 ? 2 : 1)) {
            Cli run = run(server.url(), log);
            assertThat(run.out())
                    .contains("=====\nServer's log: 40 of 40, 2 unexplained.\n  GET /, 200: client 40, log 42:");
            assertThat(proof().path("by").asString()).isEqualTo("counts");
            assertThat(proof().path("unexplained").asInt()).isEqualTo(2);
            // And it is read again from the folder.
            assertThat(Cli.run("report", folder.resolve("out")).out())
                    .contains("Server's log: 40 of 40, 2 unexplained.");
        }
    }

    @Test
    void linesThatAreMissingAreUnexplained() throws Exception {
        Path log = Files.createFile(folder.resolve("access.log"));
        try (RecordingServer server = server(log, i -> i == 5 ? 0 : 1)) {
            assertThat(run(server.url(), log, "--prove-wait", "100ms").out())
                    .contains("Server's log: 39 of 40, 1 unexplained.");
        }
    }

    @Test
    void aRefusedConnectionExplainsAMissingLine() throws Exception {
        Path log = Files.createFile(folder.resolve("access.log"));
        int port;
        try (ServerSocket none = new ServerSocket(0)) {
            port = none.getLocalPort();
        }
        assertThat(run("http://127.0.0.1:" + port + "/", log, "--connect-timeout", "1s")
                        .out())
                .contains("none unexplained.\n", "connect refused: client");
    }

    @Test
    void nginxHasAllOfThemByCountAndById() throws Exception {
        assumeThat(NGINX).exists();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path conf = Files.writeString(
                folder.resolve("nginx.conf"),
                """
                daemon off; worker_processes 1; pid %1$s/pid; error_log %1$s/error.log;
                events { worker_connections 64; }
                http {
                  log_format traced '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent'
                    ' "$http_traceparent"';
                  access_log %1$s/access.log traced;
                  client_body_temp_path %1$s/b; proxy_temp_path %1$s/p; fastcgi_temp_path %1$s/f;
                  uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;
                  server { listen 127.0.0.1:%2$d; location / { return 200 "ok"; } location /none { return 404; } }
                }
                """
                        .formatted(folder, port));
        Process nginx = new ProcessBuilder(NGINX.toString(), "-c", conf.toString(), "-p", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.out").toFile())
                .start();
        try {
            awaitListening(port, nginx);
            Path log = folder.resolve("access.log");
            String url = "http://127.0.0.1:" + port + "/";
            Cli counted = run(url, log, "--get", "/", "--get", "/none");
            assertThat(counted.out()).contains("=====\nServer's log: 80 of 80, none unexplained.\n");
            assertThat(proof().path("by").asString()).isEqualTo("counts");

            runInto("ids", url, log, "--trace-requests", "100%");
            JsonNode byId = proofIn("ids");
            assertThat(byId.path("by").asString()).isEqualTo("ids");
            assertThat(byId.path("matched").asInt()).isEqualTo(40);
            assertThat(byId.path("unexplained").asInt()).isZero();
            assertThat(Files.readString(folder.resolve("ids/report.html"))).contains("log: 40 of 40");
        } finally {
            nginx.destroy();
            nginx.waitFor(5, TimeUnit.SECONDS);
        }
    }

    private static void awaitListening(int port, Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (true) {
            try (Socket socket = new Socket("127.0.0.1", port)) {
                return;
            } catch (SocketException e) {
                assertThat(process.isAlive() && System.nanoTime() < end).isTrue();
                Thread.sleep(20);
            }
        }
    }

    /** With its buffer, which it writes every second here, after the run. */
    @Test
    void tomcatHasAllOfThem() throws LifecycleException, IOException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getEngine().setBackgroundProcessorDelay(1);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "ok", new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest in, HttpServletResponse out) throws IOException {
                out.getWriter().print("ok");
            }
        });
        context.addServletMappingDecoded("/", "ok");
        AccessLogValve valve = new AccessLogValve();
        valve.setDirectory(folder.toString());
        valve.setPrefix("access");
        valve.setSuffix(".log");
        valve.setRotatable(false);
        valve.setPattern("combined");
        tomcat.getHost().getPipeline().addValve(valve);
        tomcat.getConnector();
        tomcat.start();
        try {
            Cli run =
                    run("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/", folder.resolve("access.log"));
            assertThat(run.out()).contains("=====\nServer's log: 40 of 40, none unexplained.\n");
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Test
    void aLogThatCannotBeReadIsAMistake() {
        Path none = folder.resolve("none.log");
        Cli run = run("http://127.0.0.1:1/", none);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo("--prove %s: expected the server's access log: there is no such file%n".formatted(none));
        assertThat(Cli.run("run", "--prove", none, "--threads", 1).err())
                .isEqualTo("--prove needs --url: the built-in targets have no log\n");
    }
}
