package io.phaseload.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A file that another user planted beside the one that is written changes nothing. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has other permissions, and links only for administrators")
class AtomicFileTest {

    @TempDir
    private Path folder;

    @Test
    void aPlantedLinkIsNotFollowed() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Files.createSymbolicLink(folder.resolve("result.json.part"), victim);

        assertThat(written()).hasContent("{}");
        assertThat(victim).hasContent("precious");
        assertThat(folder.resolve("result.json.part")).doesNotExist();
    }

    @Test
    void aPlantedFileDoesNotGiveItsPermissions() throws IOException {
        Path planted = Files.writeString(folder.resolve("result.json.part"), "other");
        Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(written()).hasContent("{}");
    }

    private Path written() throws IOException {
        Path file = folder.resolve("result.json");
        AtomicFile.write(file, "{}");
        assertThat(file).isRegularFile();
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        return file;
    }
}
