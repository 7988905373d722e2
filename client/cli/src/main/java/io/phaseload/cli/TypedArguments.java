package io.phaseload.cli;

import io.phaseload.options.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A command line as it was typed. The JVM decodes it by the locale and replaces what the locale can't express by
 * U+FFFD: under {@code LC_ALL=C}, every byte of a letter that isn't ASCII.
 */
final class TypedArguments {

    private static final String LOST = "\ufffd";

    private TypedArguments() {}

    /**
     * The arguments, read again from the system if the JVM lost something.
     *
     * @param decoded by the JVM
     * @param line the place where the system keeps the words of a process, such as {@code /proc/self/cmdline}
     * @throws UsageException if they can't be had, or aren't UTF-8
     */
    static String[] of(String[] decoded, Path line) {
        if (Arrays.stream(decoded).noneMatch(word -> word.contains(LOST))) {
            return decoded;
        }
        List<byte[]> words = words(line);
        int before = words.size() - decoded.length;
        String[] typed = decoded.clone();
        for (int i = 0; i < typed.length; i++) {
            if (decoded[i].contains(LOST)) {
                if (before < 0) {
                    throw notText(decoded[i]);
                }
                typed[i] = decode(words.get(before + i), decoded[i]);
            }
        }
        return typed;
    }

    private static String decode(byte[] word, String decoded) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(word))
                    .toString();
            // The JVM may have been started with other words by a launcher.
            if (!text.startsWith(decoded.substring(0, decoded.indexOf(LOST)))) {
                throw notText(decoded);
            }
            return text;
        } catch (CharacterCodingException e) {
            throw notText(decoded);
        }
    }

    private static List<byte[]> words(Path line) {
        List<byte[]> words = new ArrayList<>();
        try {
            byte[] all = Files.readAllBytes(line);
            int start = 0;
            for (int i = 0; i < all.length; i++) {
                if (all[i] == 0) {
                    words.add(Arrays.copyOfRange(all, start, i));
                    start = i + 1;
                }
            }
        } catch (IOException notLinux) {
            words.clear();
        }
        return words;
    }

    private static UsageException notText(String word) {
        return new UsageException(
                word + ": expected text in UTF-8, and a locale such as LC_ALL=C.UTF-8, or a file" + " (--body @FILE)");
    }
}
