package io.phaseload.files;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Explains to users why a file couldn't be read or written, without class names. */
public final class FileProblem {

    private FileProblem() {}

    /**
     * The reason of a failure.
     *
     * @return a part of a sentence, without a line break
     */
    public static String of(Throwable failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "access is denied";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a folder";
        }
        if (failure instanceof FileSystemException system && system.getReason() != null) {
            return lowerCase(system.getReason());
        }
        if (failure instanceof InvalidPathException path) {
            return lowerCase(path.getReason());
        }
        if (failure instanceof CharacterCodingException) {
            return "it isn't UTF-8 text";
        }
        String message = failure.getMessage();
        if (message != null) {
            return message.lines().findFirst().orElse("").strip();
        }
        return failure instanceof IOException ? "reading or writing failed" : "unknown";
    }

    private static String lowerCase(String text) {
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
