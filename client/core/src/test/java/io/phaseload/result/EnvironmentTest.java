package io.phaseload.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EnvironmentTest {

    @Test
    void recordsWhatEveryJvmReports() {
        Environment environment = Environment.capture();

        assertThat(environment.phaseloadVersion()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
        assertThat(environment.os()).startsWith(System.getProperty("os.name"));
        assertThat(environment.javaVersion()).isEqualTo(System.getProperty("java.version"));
        assertThat(environment.jvm()).isNotBlank();
        assertThat(environment.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(environment.maxHeapMiB()).isPositive();
        assertThat(environment.jvmFlags()).isNotNull();
        assertThat(environment.commandLine().get(0)).contains("java");
        assertThat(environment.commandLine()).hasSizeGreaterThan(1);
        assertThat(environment.limits().openFiles().orElseThrow()).isGreaterThan(10);
    }
}
