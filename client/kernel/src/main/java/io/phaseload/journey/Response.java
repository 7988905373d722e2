package io.phaseload.journey;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a response that checks and extractions use.
 *
 * @param status of it
 * @param head lines of its header, each with its end
 * @param body its first MiB, decoded; {@code null} if nothing looks at it
 * @param bytes the length of its whole body, decoded; negative if unknown
 */
public record Response(int status, byte[] head, @Nullable ByteArrayOutputStream body, long bytes) {}
