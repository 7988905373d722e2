package io.phaseload.files;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files completely or not at all. */
public final class AtomicFile {

    private static final int BUFFER = 64 << 10;

    private AtomicFile() {}

    /**
     * Writes a file that only its user can read, or replaces it by one.
     *
     * @param file its place
     * @param text the content, written as UTF-8
     * @throws IOException if it can't be written; the old file is then unchanged
     */
    public static void write(Path file, String text) throws IOException {
        write(file, bytesOf(text));
    }

    /**
     * The same for content that is too large to be held as a text.
     *
     * @param file its place
     * @param content writes it; the stream is buffered, and closed for it
     * @throws IOException if it can't be written; the old file is then unchanged
     */
    public static void write(Path file, Writing content) throws IOException {
        write(file, content, PrivateFiles::create);
    }

    /**
     * The same for content that isn't text, and a file with the permissions that new files of this process have.
     *
     * @param file its place
     * @param content writes it
     * @throws IOException if it can't be written; the old file is then unchanged
     */
    public static void publish(Path file, Writing content) throws IOException {
        write(file, content, Files::createFile);
    }

    private static Writing bytesOf(String text) {
        return out -> {
            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            writer.write(text);
            writer.flush();
        };
    }

    /** Writes a file's content. */
    @FunctionalInterface
    public interface Writing {

        /**
         * Writes all of it.
         *
         * @throws IOException if it can't be written
         */
        void writeTo(OutputStream out) throws IOException;
    }

    private interface Creation {

        void create(Path file) throws IOException;
    }

    private static void write(Path file, Writing content, Creation creation) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            // Also a symbolic link, which would lead elsewhere, or a file with other permissions.
            Files.deleteIfExists(part);
            creation.create(part);
            // Not a channel: an interrupted thread couldn't write to it.
            try (FileOutputStream out = new FileOutputStream(part.toFile())) {
                OutputStream buffered = new BufferedOutputStream(out, BUFFER);
                content.writeTo(buffered);
                buffered.flush();
                // Synced before it is renamed, or a crash could leave an empty file.
                out.getFD().sync();
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
