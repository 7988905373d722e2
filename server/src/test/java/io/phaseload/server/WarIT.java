package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Constants;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarIT {

    private static final Path WAR = Path.of(System.getProperty("phaseload.war"));
    private static final String CLASSES = "WEB-INF/classes/";
    private static final String SERVICE_FILE =
            CLASSES + "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    @Test
    void containsTheServletsAndWhatTheyNeed() throws IOException {
        try (ZipFile war = new ZipFile(WAR.toFile())) {
            List<String> names = war.stream().map(ZipEntry::getName).toList();
            assertThat(names)
                    .contains(
                            CLASSES + "io/phaseload/server/TargetInitializer.class",
                            CLASSES + "io/phaseload/server/ServiceEndpoint.class",
                            CLASSES + "io/phaseload/server/CountingFilter.class");
            byte[] service = war.getInputStream(war.getEntry(SERVICE_FILE)).readAllBytes();
            assertThat(new String(service, StandardCharsets.UTF_8).strip())
                    .isEqualTo(TargetInitializer.class.getName());
        }
    }

    @Test
    void containsNothingOfTheContainerOrTheCommandLine() throws IOException {
        try (ZipFile war = new ZipFile(WAR.toFile())) {
            assertThat(war.stream().map(ZipEntry::getName))
                    .filteredOn(name -> name.startsWith("WEB-INF/lib/") && name.endsWith(".jar"))
                    .singleElement()
                    .asString()
                    .startsWith("WEB-INF/lib/jackson-core-");
            assertThat(war.stream().map(ZipEntry::getName))
                    .noneMatch(name -> name.contains("args4j"))
                    .noneMatch(name -> name.contains("phaseload/options"))
                    .noneMatch(name -> name.contains("ServerMain"))
                    .noneMatch(name -> name.contains("EmbeddedTomcat"));
        }
    }

    @Test
    void theJarDoesNotRegisterItselfWithAContainer() {
        assertThat(
                        WarIT.class.getResource(
                                "/META-INF/services/jakarta.servlet.ServletContainerInitializer"))
                .satisfiesAnyOf(
                        url -> assertThat(url).isNull(),
                        url -> assertThat(url.toString()).doesNotContain("phaseload"));
    }

    @Test
    void runsInAContainerUnderItsOwnPath(@TempDir Path directory) throws Exception {
        Files.createDirectories(directory.resolve("webapps"));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        tomcat.setConnector(connector);
        tomcat.getHost().addChild(context());
        EmbeddedTomcat.quiet();
        tomcat.start();
        try {
            URI url = URI.create("http://localhost:" + connector.getLocalPort() + "/target/");
            TestClient client = new TestClient(url);
            assertThat(client.get("").body()).isEqualTo("alive");
            assertThat(client.send("POST", "", "hello").body()).isEqualTo("5");
            assertThat(client.get("nope").body())
                    .isEqualTo("{\"error\":\"not found\",\"path\":\"/target/nope\"}");
            Map<String, String> metrics = JsonMap.of(client.get("metrics.json").body());
            assertThat(metrics).containsEntry("requests/total", "3");
            assertThat(Integer.parseInt(metrics.get("maxThreads"))).isPositive();
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    // Not Tomcat.addWebapp(), which adds the servlet for JSP that isn't there.
    private static StandardContext context() {
        StandardContext context = new StandardContext();
        context.setPath("/target");
        context.setDocBase(WAR.toString());
        context.setParentClassLoader(new WithoutPhaseload(WarIT.class.getClassLoader()));
        context.setClearReferencesThreadLocals(false);
        context.setClearReferencesRmiTargets(false);
        ContextConfig config = new ContextConfig();
        config.setDefaultWebXml(Constants.NoDefaultWebXml);
        context.addLifecycleListener(config);
        return context;
    }

    /** The tests' class path, without the classes that have to come out of the WAR. */
    private static final class WithoutPhaseload extends ClassLoader {

        WithoutPhaseload(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.phaseload.") || name.startsWith("tools.jackson.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.contains("phaseload")
                    ? Collections.emptyEnumeration()
                    : super.getResources(name);
        }
    }
}
