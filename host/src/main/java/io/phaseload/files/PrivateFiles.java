package io.phaseload.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Creates files ({@code 0600}) and folders ({@code 0700}) that only their user can read, on file systems with POSIX
 * permissions.
 */
public final class PrivateFiles {

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    /**
     * Creates an empty file.
     *
     * @param file the new file
     * @throws FileAlreadyExistsException if it exists, also as a symbolic link
     * @throws IOException if it can't be created
     */
    public static void create(Path file) throws IOException {
        Files.createFile(file, only("rw-------"));
    }

    /**
     * Creates a folder.
     *
     * @param folder the new folder, whose parent exists
     * @return the folder
     * @throws FileAlreadyExistsException if it exists
     * @throws IOException if it can't be created
     */
    public static Path createDirectory(Path folder) throws IOException {
        return Files.createDirectory(folder, only("rwx------"));
    }

    /**
     * Creates a folder, and its parents with the usual permissions, if it doesn't exist.
     *
     * @param folder the folder
     * @throws IOException if it can't be created
     */
    public static void createDirectories(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            createDirectory(folder);
        }
    }

    private static FileAttribute<?>[] only(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
