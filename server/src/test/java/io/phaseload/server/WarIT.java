package io.phaseload.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** What is in the WAR; {@code src/it/war} runs it. */
class WarIT {

    private static final Path WAR = Path.of(System.getProperty("phaseload.war"));
    private static final String CLASSES = "WEB-INF/classes/";
    private static final String LIBRARIES =
            "(jackson-core|phaseload-host|micrometer-[a-z-]+|prometheus-metrics-[a-z-]+|jspecify|HdrHistogram)";
    private static final String SERVICE_FILE =
            CLASSES + "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    @Test
    void containsTheServletsAndTheirDependencies() throws IOException {
        try (ZipFile war = new ZipFile(WAR.toFile())) {
            List<String> names = war.stream().map(ZipEntry::getName).toList();
            assertThat(names)
                    .contains(
                            CLASSES + "io/phaseload/server/TargetInitializer.class",
                            CLASSES + "io/phaseload/server/endpoints/ServiceEndpoint.class",
                            CLASSES + "io/phaseload/server/endpoints/CountingFilter.class");
            byte[] service = war.getInputStream(war.getEntry(SERVICE_FILE)).readAllBytes();
            assertThat(new String(service, StandardCharsets.UTF_8).strip())
                    .isEqualTo(TargetInitializer.class.getName());
        }
    }

    @Test
    void containsNeitherTheContainerNorTheCommandLine() throws IOException {
        try (ZipFile war = new ZipFile(WAR.toFile())) {
            assertThat(war.stream().map(ZipEntry::getName))
                    .filteredOn(name -> name.startsWith("WEB-INF/lib/") && name.endsWith(".jar"))
                    .isNotEmpty()
                    .allMatch(name -> name.matches("WEB-INF/lib/" + LIBRARIES + "-[^/]+"));
            assertThat(war.stream().map(ZipEntry::getName))
                    .noneMatch(name -> name.contains("args4j"))
                    .noneMatch(name -> name.contains("phaseload-options"))
                    .noneMatch(name -> name.contains("ServerMain"))
                    .noneMatch(name -> name.contains("EmbeddedTomcat"));
        }
    }

    @Test
    void theJarDoesNotRegisterItselfWithAContainer() {
        assertThat(WarIT.class.getResource("/META-INF/services/jakarta.servlet.ServletContainerInitializer"))
                .satisfiesAnyOf(url -> assertThat(url).isNull(), url -> assertThat(url.toString())
                        .doesNotContain("phaseload"));
    }
}
