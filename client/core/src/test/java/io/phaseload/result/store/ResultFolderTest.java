package io.phaseload.result.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.result.FixedResults;
import io.phaseload.result.Result;
import io.phaseload.result.json.ResultJson;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ResultFolderTest {

    private static final Instant START = Instant.parse("2026-03-09T07:05:01.999Z");

    @TempDir
    private Path folder;

    @Test
    void aNewFolderIsNamedAfterTimeAndRun() throws Exception {
        Path parent = folder.resolve("a/b");

        ResultFolder made = ResultFolder.create(parent, START, "nightly");

        assertThat(made.path()).isEqualTo(parent.resolve("20260309T070501Z-nightly"));
        assertThat(made.path()).isEmptyDirectory();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void onlyItsUserReadsIt() throws Exception {
        ResultFolder made = ResultFolder.create(folder.resolve("a"), START, "nightly");
        ResultFolder named = ResultFolder.at(folder.resolve("b/c"));
        named.begin(FixedResults.passed().plan()).close();

        for (ResultFolder own : List.of(made, named)) {
            assertThat(permissions(own.path())).isEqualTo("rwx------");
        }
        for (String name : ResultFolder.FILES) {
            assertThat(permissions(named.path().resolve(name))).isEqualTo("rw-------");
        }
    }

    private static String permissions(Path of) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(of));
    }

    @Test
    void theNameIsTheSameInEveryLocale() throws Exception {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));

            assertThat(ResultFolder.create(folder, START, "run").path()).hasFileName("20260309T070501Z-run");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void runsOfTheSameSecondGetNumbers() throws Exception {
        ResultFolder first = ResultFolder.create(folder, START, "run");
        ResultFolder second = ResultFolder.create(folder, START, "run");
        ResultFolder third = ResultFolder.create(folder, START.minusMillis(500), "run");

        assertThat(first.path()).hasFileName("20260309T070501Z-run");
        assertThat(second.path()).hasFileName("20260309T070501Z-run-2");
        assertThat(third.path()).hasFileName("20260309T070501Z-run-3");
    }

    @Test
    void aFileInPlaceOfTheParentIsAnError() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatIOException().isThrownBy(() -> ResultFolder.create(file, START, "run"));
        assertThatIOException().isThrownBy(() -> ResultFolder.create(file.resolve("x"), START, "run"));
    }

    @Test
    void aNamedFolderIsCreatedOrUsedIfEmpty() throws Exception {
        Path named = folder.resolve("a/b");

        assertThat(ResultFolder.at(named).path()).isEqualTo(named).isEmptyDirectory();
        assertThat(ResultFolder.at(named).path()).isEqualTo(named);
    }

    @Test
    void aNamedFolderThatIsNotEmptyIsRejected() throws Exception {
        Files.createFile(folder.resolve(".hidden"));

        assertThatThrownBy(() -> ResultFolder.at(folder))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(folder.toString());
        assertThat(folder).isDirectoryContaining("glob:**/.hidden");
    }

    @Test
    void aFileIsRejected() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> ResultFolder.at(file))
                .isInstanceOf(NotDirectoryException.class)
                .hasMessage(file.toString());
    }

    @Test
    void anUnwritableFolderIsRejected() throws Exception {
        Path locked = Files.createDirectory(folder.resolve("locked"));
        assertThat(locked.toFile().setWritable(false)).isTrue();
        try {
            Assumptions.assumeFalse(Files.isWritable(locked), "this user may write anywhere, as root does");

            assertThatThrownBy(() -> ResultFolder.at(locked))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessage(locked.toString());
        } finally {
            assertThat(locked.toFile().setWritable(true)).isTrue();
        }
    }

    @Test
    void onlyTheResultIsWritten() throws Exception {
        Result result = FixedResults.passed();

        new ResultFolder(folder).write(result);

        assertThat(folder.toFile().list()).containsExactly("result.json");
        assertThat(folder.resolve("result.json")).hasContent(ResultJson.write(result));
    }

    @Test
    void aLaterResultReplacesAnEarlierOne() throws Exception {
        ResultFolder written = new ResultFolder(folder);
        written.write(FixedResults.passed());

        written.write(FixedResults.interrupted());

        assertThat(folder.resolve("result.json")).hasContent(ResultJson.write(FixedResults.interrupted()));
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @Test
    void aDeletedFolderIsAnError() {
        ResultFolder gone = new ResultFolder(folder.resolve("gone"));

        assertThatThrownBy(() -> gone.write(FixedResults.passed())).isInstanceOf(IOException.class);
    }
}
