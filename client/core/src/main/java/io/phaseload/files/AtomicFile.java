package io.phaseload.files;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files completely or not at all. */
public final class AtomicFile {

    private AtomicFile() {}

    /**
     * Writes a file that only its user can read, or replaces it by one.
     *
     * @param file its place
     * @param text the content, written as UTF-8
     * @throws IOException if it can't be written; the old file is then unchanged
     */
    public static void write(Path file, String text) throws IOException {
        write(file, text, PrivateFiles::create);
    }

    /**
     * The same for a file with the permissions that new files of this process have.
     *
     * @param file its place
     * @param text the content, written as UTF-8
     * @throws IOException if it can't be written; the old file is then unchanged
     */
    public static void publish(Path file, String text) throws IOException {
        write(file, text, Files::createFile);
    }

    private interface Creation {

        void create(Path file) throws IOException;
    }

    private static void write(Path file, String text, Creation creation) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            // Also a symbolic link, which would lead elsewhere, or a file with other permissions.
            Files.deleteIfExists(part);
            creation.create(part);
            // Not a channel: an interrupted thread couldn't write to it.
            try (FileOutputStream out = new FileOutputStream(part.toFile())) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
                // Synced before it is renamed, or a crash could leave an empty file.
                out.getFD().sync();
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
