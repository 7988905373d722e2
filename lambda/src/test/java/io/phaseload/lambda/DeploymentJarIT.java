package io.phaseload.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

class DeploymentJarIT {

    private static List<String> classes() throws IOException {
        try (ZipFile jar = new ZipFile(Emulator.JAR.toFile())) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .toList();
        }
    }

    @Test
    void hasTheHandlerAndItsDependencies() throws IOException {
        assertThat(classes())
                .contains(
                        "io/phaseload/lambda/Handler.class",
                        "io/phaseload/service/TargetService.class",
                        "tools/jackson/core/json/JsonFactory.class",
                        "com/amazonaws/services/lambda/runtime/RequestStreamHandler.class");
    }

    @Test
    void hasNothingOfTomcatOrTheLocalUrl() throws IOException {
        assertThat(classes())
                .allMatch(name -> name.matches("io/phaseload/(lambda|service)/[^/]+")
                        || name.startsWith("tools/jackson/core/")
                        || name.startsWith("com/amazonaws/services/lambda/runtime/"));
    }

    @Test
    void isSmall() {
        assertThat(Emulator.JAR.toFile().length()).isLessThan(700_000);
    }
}
