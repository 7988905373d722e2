package example;

import com.sun.tools.attach.VirtualMachine;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Tomcat as it was unpacked, in a process of its own: started by its own script, with what belongs
 * to this one instance in a folder of its own.
 */
final class StandaloneTomcat implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Path HOME = Path.of(System.getProperty("tomcat.home"));
    private static final Path WAR = Path.of(System.getProperty("war"));
    private static final String DEPLOYED =
            "Deployment of web application archive [%s] has finished in";
    private static final Pattern LISTENING =
            Pattern.compile(
                    "Starting ProtocolHandler \\[\"http-nio-127\\.0\\.0\\.1-auto-1-(\\d+)\"");

    private final Path base;
    private final Path deployed;
    private final int shutdownPort;
    private final Process process;
    // Even if this JVM is told to end in the middle of a test.
    private final Thread killer = new Thread(this::kill);

    private StandaloneTomcat(Path base) throws IOException {
        this.base = base;
        this.deployed = base.resolve("webapps").resolve(WAR.getFileName());
        this.shutdownPort = freePort();
        for (String folder : List.of("conf", "logs", "temp", "webapps", "work")) {
            Files.createDirectory(base.resolve(folder));
        }
        Files.copy(Path.of("src/test/tomcat/server.xml"), base.resolve("conf/server.xml"));
        for (String file : List.of("conf/web.xml", "conf/logging.properties")) {
            Files.copy(HOME.resolve(file), base.resolve(file));
        }
        Files.copy(WAR, deployed);
        ProcessBuilder catalina =
                new ProcessBuilder(HOME.resolve("bin/catalina.sh").toString(), "run");
        Map<String, String> environment = catalina.environment();
        environment.keySet().removeIf(name -> name.matches("CATALINA_.*|JAVA_OPTS|JRE_HOME"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("CATALINA_BASE", base.toString());
        // It ends before C2's code pays.
        environment.put(
                "CATALINA_OPTS",
                "-Xmx256m -XX:TieredStopAtLevel=1 -Dshutdown.port=" + shutdownPort);
        File log = log().toFile();
        this.process = catalina.redirectErrorStream(true).redirectOutput(log).start();
        Runtime.getRuntime().addShutdownHook(killer);
    }

    /** Starts Tomcat in an empty folder; when this returns, the WAR is deployed. */
    static StandaloneTomcat start(Path base) throws Exception {
        StandaloneTomcat tomcat = new StandaloneTomcat(base);
        try {
            tomcat.await(() -> tomcat.logged("Server startup in") == 1);
            return tomcat;
        } catch (Exception | AssertionError e) {
            tomcat.close();
            throw e;
        }
    }

    /** Where the WAR answers: under its own name, on the port that the system chose. */
    URI url() throws IOException {
        Matcher line = LISTENING.matcher(Files.readString(log()));
        if (!line.find()) {
            throw new AssertionError("no port in the log:\n" + Files.readString(log()));
        }
        String name = WAR.getFileName().toString().replace(".war", "");
        return URI.create("http://127.0.0.1:" + line.group(1) + "/" + name + "/");
    }

    /** Replaces the WAR by a newer copy of itself, and waits until Tomcat has taken it. */
    void redeploy() throws Exception {
        int before = logged(DEPLOYED.formatted(deployed));
        // Beside it first: Tomcat mustn't see half a file.
        Path copy = Files.copy(WAR, base.resolve("temp").resolve("new.war"));
        Files.move(copy, deployed, StandardCopyOption.ATOMIC_MOVE);
        await(() -> logged(DEPLOYED.formatted(deployed)) > before);
    }

    /** Waits until Tomcat's own search finds no undeployed application that is still referenced. */
    void awaitNoLeaks() throws Exception {
        VirtualMachine jvm = VirtualMachine.attach(Long.toString(process.pid()));
        JMXServiceURL agent = new JMXServiceURL(jvm.startLocalManagementAgent());
        try (JMXConnector connector = JMXConnectorFactory.connect(agent)) {
            ObjectName host = new ObjectName("Catalina:type=Host,host=localhost");
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            String search = "findReloadedContextMemoryLeaks";
            // Not at once: each pooled thread lets go of the application with its next request.
            await(() -> ((String[]) beans.invoke(host, search, null, null)).length == 0);
        } finally {
            jvm.detach();
        }
    }

    /** What Tomcat found worth a warning, or worse. */
    List<String> complaints() throws IOException {
        try (Stream<String> lines = Files.lines(log())) {
            return lines.filter(line -> line.matches(".*\\b(SEVERE|WARNING)\\b.*")).toList();
        }
    }

    /**
     * Asks Tomcat to stop, as its script does, and waits for the process to end. That ends by
     * itself only if no thread was left behind.
     *
     * @return the exit code
     */
    int stop() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), shutdownPort)) {
            socket.getOutputStream().write("SHUTDOWN".getBytes(StandardCharsets.US_ASCII));
        }
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running:\n" + Files.readString(log()));
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
        Runtime.getRuntime().removeShutdownHook(killer);
    }

    private void kill() {
        process.destroyForcibly().onExit().join();
    }

    private Path log() {
        return base.resolve("logs").resolve("catalina.out");
    }

    private int logged(String text) throws IOException {
        return Files.readString(log()).split(Pattern.quote(text), -1).length - 1;
    }

    private void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new AssertionError("not as it should be:\n" + Files.readString(log()));
            }
            // Another process can only be polled.
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
